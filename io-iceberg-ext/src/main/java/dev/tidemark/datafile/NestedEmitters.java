package dev.tidemark.datafile;

import java.util.function.Consumer;
import org.apache.iceberg.FieldMetrics;
import org.apache.parquet.column.ColumnWriteStore;

/** Emitters of structs, lists and maps. */
final class NestedEmitters {
  private NestedEmitters() {}

  /** Several columns that come and go together. */
  abstract static class GroupEmitter extends Emitter {
    private final Emitter[] children;

    GroupEmitter(Emitter... children) {
      this.children = children;
    }

    final void emitAll(int repetitionLevel) {
      for (Emitter child : children) {
        child.emit(repetitionLevel);
      }
    }

    @Override
    final void emitNull(int repetitionLevel, int definitionLevel) {
      for (Emitter child : children) {
        child.emitNull(repetitionLevel, definitionLevel);
      }
    }

    @Override
    final void open(ColumnWriteStore store) {
      for (Emitter child : children) {
        child.open(store);
      }
    }

    @Override
    final void metrics(Consumer<FieldMetrics<?>> sink) {
      for (Emitter child : children) {
        child.metrics(sink);
      }
    }
  }

  static final class StructEmitter extends GroupEmitter {
    private final CountTrack presence;
    private final int level;

    /** {@code level} is the definition level of a struct that is there. */
    StructEmitter(CountTrack presence, int level, Emitter[] children) {
      super(children);
      this.presence = presence;
      this.level = level;
    }

    @Override
    void emit(int repetitionLevel) {
      if (presence.get(presence.take()) == CountTrack.NULL) {
        emitNull(repetitionLevel, level - 1);
      } else {
        emitAll(repetitionLevel);
      }
    }
  }

  /** Lists and maps: the children are written once for each part. */
  static final class RepeatedEmitter extends GroupEmitter {
    private final CountTrack counts;
    private final int partLevel;
    private final int partRepetition;

    /** The levels are those of a part: its definition level, and its repetition level. */
    RepeatedEmitter(CountTrack counts, int partLevel, int partRepetition, Emitter... children) {
      super(children);
      this.counts = counts;
      this.partLevel = partLevel;
      this.partRepetition = partRepetition;
    }

    @Override
    void emit(int repetitionLevel) {
      int count = counts.get(counts.take());
      if (count == CountTrack.NULL) {
        emitNull(repetitionLevel, partLevel - 2);
      } else if (count == 0) {
        emitNull(repetitionLevel, partLevel - 1);
      } else {
        emitAll(repetitionLevel);
        for (int i = 1; i < count; i++) {
          emitAll(partRepetition);
        }
      }
    }
  }

  /** A nested column that rows lack. */
  static final class NullGroupEmitter extends GroupEmitter {
    NullGroupEmitter(Emitter[] leaves) {
      super(leaves);
    }

    @Override
    void emit(int repetitionLevel) {
      emitAll(repetitionLevel);
    }
  }
}
