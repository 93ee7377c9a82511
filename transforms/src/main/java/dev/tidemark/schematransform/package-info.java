/**
 * What Tidemark's schema transforms have in common: transforms that are configured by a row, so
 * that Beam YAML and other languages can compose them without Java.
 *
 * <h2>Contract</h2>
 *
 * <ul>
 *   <li><b>Names.</b> {@code beam:schematransform:dev.tidemark:<name>:v1}. A field is never taken
 *       away or given another meaning within a version; new ones may be added.
 *   <li><b>Fields</b> are in snake case, with the unit in the name. Each is a setter of the Java
 *       transform; one that is not given, or null, leaves the setter's default. What a setter
 *       refuses is refused with the name of the field when the pipeline is built.
 *   <li><b>Code</b> (hooks, clocks, functions) cannot be a field.
 *   <li><b>Rows</b> come in and go out; a change is a row of {@link
 *       dev.tidemark.change.ChangeRows}.
 *   <li><b>Errors.</b> {@code error_handling} names the output of what could not be processed; see
 *       {@link dev.tidemark.schematransform.ErrorOutput}. Without it the first such record fails
 *       the pipeline.
 *   <li><b>Secrets</b> are references, see {@link dev.tidemark.secrets.Secrets}: Beam keeps the
 *       configuration of such a transform in the job graph, so a password itself is refused.
 * </ul>
 *
 * <p>Guarantees, order and metrics are those of the transform that is configured.
 */
package dev.tidemark.schematransform;
