package dev.tidemark.merge;

import com.google.common.collect.ImmutableList;
import dev.tidemark.commit.PinnedCommits;
import dev.tidemark.commit.PinnedTable;
import dev.tidemark.commit.Sleeper;
import dev.tidemark.commit.TableAccess;
import dev.tidemark.datafile.DataFileCodec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Catalog;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A merge in four stages that different processes can run: {@link #pin} in one place, {@link #read}
 * for each task, {@link #merge} for each part of the keys, and {@link #finish} in one place. What
 * passes between them are bytes of one run, never kept. All stages follow from the pin, so that one
 * that is repeated does the same; only files it writes again are left over as orphans.
 *
 * <p>Not thread-safe.
 */
public final class StagedMerge {
  private final MergeSpec spec;
  private final TableAccess bases;
  private final TableAccess sources;
  private final LongAdder bytes = new LongAdder();
  private @Nullable List<String> planned;
  private @Nullable MergePlan plan;

  /** Takes the changes of a task. */
  @FunctionalInterface
  public interface Changes {
    /** A change of a key of this part. */
    void add(int part, byte[] change);
  }

  private StagedMerge(MergeSpec spec, TableAccess bases, TableAccess sources) {
    spec.check();
    this.spec = spec;
    this.bases = bases;
    this.sources = sources;
  }

  /**
   * A merge; the catalogs stay the caller's.
   *
   * @throws IllegalArgumentException if the spec is incomplete
   */
  public static StagedMerge of(Catalog bases, Catalog sources, MergeSpec spec) {
    return new StagedMerge(spec, TableAccess.of(bases), TableAccess.of(sources));
  }

  /**
   * Pins the metadata versions that are merged: their file locations, the base table's first.
   *
   * @throws MergeException if the tables do not allow a merge
   */
  public ImmutableList<String> pin() {
    MergePlan fresh = whole().plan();
    ImmutableList.Builder<String> pin = ImmutableList.builder();
    pin.add(location(fresh.metadata()));
    fresh.ranges().forEach(range -> pin.add(location(range.metadata())));
    return pin.build();
  }

  /** The files to read. */
  public ImmutableList<byte[]> tasks(List<String> pin) {
    MergePlan plan = plan(pin);
    ImmutableList.Builder<byte[]> tasks = ImmutableList.builder();
    for (ChangeFile file : plan.files()) {
      tasks.add(encode(plan, file));
    }
    return tasks.build();
  }

  /** Reads one file. */
  public void read(List<String> pin, byte[] task, Changes changes) {
    MergePlan plan = plan(pin);
    ChangeFile file = decode(plan, task);
    VersionCodec codec = new VersionCodec(plan.layout().schema());
    int parts = plan.parts();
    whole()
        .reader(plan, file)
        .read(
            file,
            (key, version) -> {
              byte[] change = encode(codec, version);
              if (key != null) {
                changes.add(KeyReader.part(key, parts), change);
                return;
              }
              // A truncate is about every key.
              for (int part = 0; part < parts; part++) {
                changes.add(part, change);
              }
            });
  }

  /** Merges one part, and returns what came of it. */
  public byte[] merge(List<String> pin, Iterable<byte[]> changes) {
    MergePlan plan = plan(pin);
    VersionCodec codec = new VersionCodec(plan.layout().schema());
    KeyFold fold = plan.fold();
    KeyFold.Adder adder = fold.adder();
    KeyReader keys = plan.keys();
    for (byte[] change : changes) {
      Version version = decode(codec, change);
      adder.add(version.kind() == null ? null : keys.key(version.row()), version);
    }
    PartMerge.Outcome outcome = whole().partMerge(plan).merge(fold, spec.threads());
    return OutcomeCodec.encode(outcome, plan.view());
  }

  /**
   * Commits what the parts came to. Where other commits to the base table void the plan, all is
   * done again, here and now.
   */
  public MergeResult finish(List<String> pin, Iterable<byte[]> outcomes) {
    MergePlan plan = plan(pin);
    BaseTableMerge whole = whole();
    BaseTableMerge.Prepared prepared = new BaseTableMerge.Prepared();
    List<PartMerge.Outcome> decoded = new ArrayList<>();
    for (byte[] outcome : outcomes) {
      decoded.add(OutcomeCodec.decode(outcome, plan.view()));
    }
    if (!decoded.isEmpty() || spec.rebuild()) {
      whole.complete(plan, decoded, prepared);
    }
    MergeResult result = whole.finish(plan, prepared, 0);
    return result != null ? result : whole().run(1);
  }

  private BaseTableMerge whole() {
    return new BaseTableMerge(
        spec, bases, sources, Clock.systemUTC(), Sleeper.threads(), MergeProbe.NONE, bytes);
  }

  private MergePlan plan(List<String> pin) {
    if (plan != null && pin.equals(planned)) {
      return plan;
    }
    PinnedCommits baseCommits = new PinnedCommits(bases, Clock.systemUTC(), Sleeper.threads());
    PinnedCommits sourceCommits = new PinnedCommits(sources, Clock.systemUTC(), Sleeper.threads());
    PinnedTable base = baseCommits.run(spec.base(), table -> table.at(pin.get(0)));
    List<PinnedTable> pinned = new ArrayList<>();
    for (int i = 0; i < spec.sources().size(); i++) {
      String version = pin.get(i + 1);
      pinned.add(sourceCommits.run(spec.sources().get(i).table(), table -> table.at(version)));
    }
    MergePlan made = MergePlan.of(spec, base, pinned);
    plan = made;
    planned = ImmutableList.copyOf(pin);
    return made;
  }

  private static String location(TableMetadata metadata) {
    String location = metadata.metadataFileLocation();
    if (location == null) {
      throw new MergeException(
          MergeException.Kind.BASE_UNFIT,
          "Cannot merge in stages: the catalog does not tell the metadata file of table %s. Use BaseTableMerge."
              .formatted(metadata.location()));
    }
    return location;
  }

  private static byte[] encode(MergePlan plan, ChangeFile file) {
    Table view = plan.ranges().get(file.source()).view();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(file.source());
      out.writeInt(file.number());
      out.write(
          DataFileCodec.encode(
              file.file().copyWithoutStats(), view.specs().get(file.file().specId())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static ChangeFile decode(MergePlan plan, byte[] task) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(task))) {
      int source = in.readInt();
      int number = in.readInt();
      DataFile file =
          DataFileCodec.decode(in.readAllBytes(), plan.ranges().get(source).view().specs());
      return new ChangeFile(source, number, file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] encode(VersionCodec codec, Version version) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      codec.write(version, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static Version decode(VersionCodec codec, byte[] change) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(change))) {
      return codec.read(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
