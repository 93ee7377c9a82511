/**
 * Runs pipelines that are written in Beam YAML, where there is no Python: a launcher in Java for
 * the part of the language that Tidemark's examples use.
 *
 * <p>Beam's own launcher is {@code python -m apache_beam.yaml.main}; it takes the same files and
 * the same two arguments. What this one does not understand it refuses by name. Transforms are
 * those of the providers that the file lists, found by their URNs on the class path, and those of
 * {@link dev.tidemark.examples.yaml.StandardTransforms}.
 */
package dev.tidemark.examples.yaml;
