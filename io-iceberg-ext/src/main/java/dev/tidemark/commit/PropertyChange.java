package dev.tidemark.commit;

import com.google.auto.value.AutoValue;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * Properties to set and to remove, and what the summary of an empty fencing snapshot says about it.
 */
@AutoValue
public abstract class PropertyChange {
  /** Properties to set. */
  public abstract ImmutableMap<String, String> sets();

  /** Properties to remove; disjoint from those to set. */
  public abstract ImmutableSet<String> removals();

  /** What the summary of the snapshot that fences the change says about it, where there is one. */
  public abstract @Nullable String note();

  /** Further entries of that summary. */
  public abstract ImmutableMap<String, String> summary();

  /** Whether this changes nothing. */
  public boolean isEmpty() {
    return sets().isEmpty() && removals().isEmpty();
  }

  /** Starts a change. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects a change; the last word on a key counts. */
  public static final class Builder {
    private final Map<String, String> sets = new LinkedHashMap<>();
    private final Set<String> removals = new LinkedHashSet<>();
    private final Map<String, String> summary = new LinkedHashMap<>();
    private @Nullable String note;

    private Builder() {}

    /** Sets a property. */
    public Builder set(String key, String value) {
      removals.remove(key);
      sets.put(key, value);
      return this;
    }

    /** Removes a property. */
    public Builder remove(String key) {
      sets.remove(key);
      removals.add(key);
      return this;
    }

    /** Says in the fencing snapshot's summary what the change is; by default it lists the keys. */
    public Builder note(String note) {
      this.note = note;
      return this;
    }

    /** Adds an entry to the summary of the fencing snapshot, where there is one. */
    public Builder summary(String key, String value) {
      summary.put(key, value);
      return this;
    }

    /** The change, without what the properties say already. */
    public PropertyChange against(Map<String, String> properties) {
      sets.entrySet().removeIf(entry -> entry.getValue().equals(properties.get(entry.getKey())));
      removals.removeIf(key -> !properties.containsKey(key));
      return build();
    }

    /** The change. */
    public PropertyChange build() {
      return new AutoValue_PropertyChange(
          ImmutableMap.copyOf(sets),
          ImmutableSet.copyOf(removals),
          note,
          ImmutableMap.copyOf(summary));
    }
  }
}
