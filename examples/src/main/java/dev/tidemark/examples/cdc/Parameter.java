package dev.tidemark.examples.cdc;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What an option may be, beside its type, description and default: read by the checks before launch
 * and by the metadata that are generated from the options.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Parameter {
  /** A few words that name the option in a form. */
  String label();

  /** What the whole text has to match; empty for any. */
  String regex() default "";

  /** What the value has to be, in words that follow "must be". */
  String expects() default "";

  /** Whether messages repeat a wrong value; not where it may hold a secret. */
  boolean quoted() default true;

  /** The smallest number. */
  long min() default Long.MIN_VALUE;

  /** The largest number. */
  long max() default Long.MAX_VALUE;
}
