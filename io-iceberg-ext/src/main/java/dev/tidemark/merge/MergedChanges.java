package dev.tidemark.merge;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types.NestedField;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * What earlier merges took over of the change tables, looked at for changes that come after those
 * of the range: a change that arrives late must not take its key back. The change tables themselves
 * remember, so that it holds for keys without a row, too. Where order only went up, nothing is
 * read; else files by their bounds, and of them key, order and kind.
 */
final class MergedChanges {
  private final MergeSpec spec;
  private final MergePlan plan;
  private final LongAdder bytes;

  /** What to read of a file. */
  private record Candidate(ChangeReader reader, ChangeFile file, Expression filter) {}

  MergedChanges(MergeSpec spec, MergePlan plan, LongAdder bytes) {
    this.spec = spec;
    this.plan = plan;
    this.bytes = bytes;
  }

  /**
   * Sets against the changes of a fold what may come after them.
   *
   * @return how many files were read
   */
  int addTo(KeyFold fold, int threads) {
    List<Candidate> candidates = candidates(fold);
    Parallel.forEach(
        candidates,
        threads,
        each -> each.reader().read(each.file(), each.filter(), fold::addMerged));
    return candidates.size();
  }

  private List<Candidate> candidates(KeyFold fold) {
    List<Candidate> candidates = new ArrayList<>();
    ImmutableList<SourceRange> ranges = plan.ranges();
    if (ranges.stream().allMatch(SourceRange::isWhole)) {
      return candidates;
    }
    List<Object> earliest = fold.earliest(OrderBounds.of(spec, plan.layout().schema()));
    if (earliest == null) {
      return candidates;
    }
    // Where nothing else tells, what was merged before comes before the range.
    int number = -1;
    for (int source = ranges.size() - 1; source >= 0; source--) {
      SourceRange range = ranges.get(source);
      OrderBounds order = OrderBounds.of(spec, range.view().schema());
      List<Object> until = range.mergedUntil(order);
      if (range.isWhole() || (until != null && order.compare(until, earliest) < 0)) {
        continue;
      }
      ChangeReader reader = reader(source, fold);
      KeyGroup keys = keys(source, fold);
      for (DataFile file : range.merged().reverse()) {
        if (order.compare(order.upper(file), earliest) >= 0
            && (keys == null || keys.mayBeIn(file))) {
          Expression filter = keys == null ? Expressions.alwaysTrue() : keys.filter(file);
          candidates.add(new Candidate(reader, new ChangeFile(source, number, file), filter));
        }
        number--;
      }
    }
    return candidates;
  }

  /** The keys of the fold; null where changes of other keys matter, too. */
  private @Nullable KeyGroup keys(int source, KeyFold fold) {
    if (spec.truncates() == Truncation.APPLY) {
      return null;
    }
    ChangeLayout layout = plan.layouts().get(source);
    List<NestedField> columns = new ArrayList<>();
    spec.key().forEach(name -> columns.add(layout.schema().findField(name)));
    KeyGroup keys = new KeyGroup(columns);
    fold.forEach((key, folded) -> keys.add(key));
    return keys;
  }

  private ChangeReader reader(int source, KeyFold fold) {
    ChangeReader reader =
        plan.reader(source, new CountedFiles(plan.ranges().get(source).view(), bytes));
    return fold.tellsAll() ? reader.withoutData() : reader;
  }
}
