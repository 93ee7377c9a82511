package dev.tidemark.examples.demo;

import dev.tidemark.change.Change;
import dev.tidemark.iceberg.LateData;
import dev.tidemark.iceberg.TableAdvance;
import dev.tidemark.iceberg.TableCommit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.errorhandling.BadRecord;
import org.apache.beam.sdk.values.Row;

/** What the pipeline reports while it runs in this process. */
final class DemoEvents {
  static final AtomicLong READ = new AtomicLong();
  static final List<TableCommit> COMMITS = new CopyOnWriteArrayList<>();
  static final List<TableAdvance> ADVANCES = new CopyOnWriteArrayList<>();
  static final List<LateData> LATE = new CopyOnWriteArrayList<>();
  static final List<BadRecord> FAILED = new CopyOnWriteArrayList<>();

  /** The rows of each table by key, as the upserts left them. */
  static final Map<ShopTable, Map<String, Row>> ROWS = new ConcurrentHashMap<>();

  private DemoEvents() {}

  /** Adds what it sees to one of the lists. */
  static final class CollectFn<T> extends DoFn<T, Void> {
    private final Kind kind;

    CollectFn(Kind kind) {
      this.kind = kind;
    }

    @ProcessElement
    public void process(@Element T element) {
      kind.add(element);
    }
  }

  /** Keeps a table as a sink would: the row that was upserted last under each key. */
  static final class KeepRowsFn extends DoFn<Change, Void> {
    private final ShopTable table;

    KeepRowsFn(ShopTable table) {
      this.table = table;
    }

    @ProcessElement
    public void process(@Element Change change) {
      Map<String, Row> rows = ROWS.computeIfAbsent(table, t -> new ConcurrentHashMap<>());
      String key = table.keyOf(column -> change.row().getValue(column));
      if (change.kind().adds()) {
        rows.put(key, change.row());
      } else {
        rows.remove(key);
      }
    }
  }

  /** A list to add to. */
  enum Kind {
    COMMIT {
      @Override
      void add(Object element) {
        COMMITS.add((TableCommit) element);
      }
    },
    ADVANCE {
      @Override
      void add(Object element) {
        ADVANCES.add((TableAdvance) element);
      }
    },
    LATE_DATA {
      @Override
      void add(Object element) {
        LATE.add((LateData) element);
      }
    },
    FAILURE {
      @Override
      void add(Object element) {
        FAILED.add((BadRecord) element);
      }
    };

    abstract void add(Object element);
  }
}
