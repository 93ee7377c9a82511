package dev.tidemark.architecture;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.Location;
import dev.tidemark.catalog.CatalogConfig;
import dev.tidemark.doris.DorisIO;
import dev.tidemark.finalization.FinalizationPolicy;
import dev.tidemark.flink.TidemarkFlink;
import dev.tidemark.rocksdb.RocksDbCandidateStoreProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.jar.JarFile;

/** The modules, and whom each of them may know. */
enum HouseModule {
  TRANSFORMS(
      FinalizationPolicy.class,
      Set.of(),
      "org.apache.iceberg..",
      "org.apache.flink..",
      "org.apache.beam.runners..",
      "org.apache.doris..",
      "org.apache.hadoop..",
      "org.apache.parquet..",
      "org.rocksdb.."),
  STATE_BACKEND(
      RocksDbCandidateStoreProvider.class,
      Set.of(TRANSFORMS),
      "org.apache.beam..",
      "org.apache.iceberg..",
      "org.apache.flink..",
      "org.apache.doris..",
      "org.apache.hadoop..",
      "org.apache.parquet.."),
  IO_ICEBERG_EXT(
      CatalogConfig.class,
      Set.of(TRANSFORMS),
      "org.apache.flink..",
      "org.apache.beam.runners..",
      "org.apache.doris..",
      "org.rocksdb.."),
  IO_DORIS(
      DorisIO.class,
      Set.of(TRANSFORMS),
      "org.apache.iceberg..",
      "org.apache.flink..",
      "org.apache.beam.runners..",
      "org.apache.doris..",
      "org.apache.hadoop..",
      "org.apache.parquet..",
      "org.rocksdb.."),
  RUNNER_FLINK_GLUE(
      TidemarkFlink.class,
      Set.of(TRANSFORMS),
      "org.apache.iceberg..",
      "org.apache.doris..",
      "org.apache.parquet.."),
  EXAMPLES(
      Path.of("target", "classes"),
      Set.of(TRANSFORMS, STATE_BACKEND, IO_ICEBERG_EXT, IO_DORIS, RUNNER_FLINK_GLUE));

  private final Path classes;
  private final ImmutableSet<HouseModule> mayKnow;
  private final ImmutableList<String> unknownPackages;

  HouseModule(Class<?> member, Set<HouseModule> mayKnow, String... unknownPackages) {
    this(placeOf(member), mayKnow, unknownPackages);
  }

  HouseModule(Path classes, Set<HouseModule> mayKnow, String... unknownPackages) {
    this.classes = classes.toAbsolutePath();
    this.mayKnow = ImmutableSet.copyOf(mayKnow);
    this.unknownPackages = ImmutableList.copyOf(unknownPackages);
  }

  /** Packages of other projects that no class of this module may name. */
  ImmutableList<String> unknownPackages() {
    return unknownPackages;
  }

  boolean mayKnow(HouseModule other) {
    return other == this || mayKnow.contains(other);
  }

  /** The folder or the jar that holds the classes. */
  Location location() {
    try {
      return Files.isDirectory(classes)
          ? Location.of(classes)
          : Location.of(new JarFile(classes.toFile()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean contains(JavaClass type) {
    return type.getSource()
        .map(source -> placeOf(source.getUri()).startsWith(classes))
        .orElse(false);
  }

  DescribedPredicate<JavaClass> classes() {
    return DescribedPredicate.describe("of module " + name(), this::contains);
  }

  /** The class file, or the jar that it is in. */
  private static Path placeOf(URI source) {
    if (!source.getScheme().equals("jar")) {
      return Path.of(source);
    }
    String jarAndEntry = source.getRawSchemeSpecificPart();
    return Path.of(URI.create(jarAndEntry.substring(0, jarAndEntry.indexOf("!/"))));
  }

  private static Path placeOf(Class<?> member) {
    try {
      return Path.of(member.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
