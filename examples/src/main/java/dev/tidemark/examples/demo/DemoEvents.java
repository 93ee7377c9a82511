package dev.tidemark.examples.demo;

import dev.tidemark.change.DebeziumRecord;
import dev.tidemark.doris.DorisLoad;
import dev.tidemark.iceberg.LateData;
import dev.tidemark.iceberg.TableAdvance;
import dev.tidemark.iceberg.TableCommit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.beam.sdk.transforms.DoFn;

/** What the pipeline reports while it runs in this process. */
final class DemoEvents {
  static final AtomicLong READ = new AtomicLong();
  static final List<TableCommit> COMMITS = new CopyOnWriteArrayList<>();
  static final List<TableAdvance> ADVANCES = new CopyOnWriteArrayList<>();
  static final List<LateData> LATE = new CopyOnWriteArrayList<>();
  static final List<DorisLoad> LOADS = new CopyOnWriteArrayList<>();

  private DemoEvents() {}

  /** Counts events for the progress line. */
  static final class CountFn extends DoFn<DebeziumRecord, DebeziumRecord> {
    @ProcessElement
    public void process(@Element DebeziumRecord record, OutputReceiver<DebeziumRecord> out) {
      READ.incrementAndGet();
      out.output(record);
    }
  }

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
    LOAD {
      @Override
      void add(Object element) {
        LOADS.add((DorisLoad) element);
      }
    };

    abstract void add(Object element);
  }
}
