package dev.tidemark.commit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/**
 * A real catalog whose commits go wrong as scripted: each commit takes the next fault, and passes
 * once there is none.
 */
public final class FaultyAccess implements TableAccess {
  /** What happens to one commit. */
  @FunctionalInterface
  public interface Fault {
    void commit(TableOperations real, TableMetadata base, TableMetadata metadata);
  }

  private final TableAccess real;
  private final Deque<Fault> faults = new ArrayDeque<>();
  private final List<Runnable> late = new ArrayList<>();
  private int commits;

  public FaultyAccess(Catalog catalog) {
    this.real = TableAccess.of(catalog);
  }

  public FaultyAccess then(Fault fault) {
    faults.add(fault);
    return this;
  }

  /** The request never reaches the catalog. */
  public static Fault failBefore(RuntimeException failure) {
    return (operations, base, metadata) -> {
      throw failure;
    };
  }

  /** The request does its work, and the answer is lost. */
  public static Fault failAfter(RuntimeException failure) {
    return (operations, base, metadata) -> {
      operations.commit(base, metadata);
      throw failure;
    };
  }

  /** The request is held up, is believed lost, and arrives when {@link #land()} is called. */
  public Fault late(RuntimeException failure) {
    return (operations, base, metadata) -> {
      late.add(() -> operations.commit(base, metadata));
      throw failure;
    };
  }

  /** Something else happens just before the request arrives. */
  public static Fault after(Runnable event) {
    return (operations, base, metadata) -> {
      event.run();
      operations.commit(base, metadata);
    };
  }

  /** Lets the requests arrive that were held up, and returns what the catalog answered. */
  public List<RuntimeException> land() {
    List<RuntimeException> refusals = new ArrayList<>();
    for (Runnable request : late) {
      try {
        request.run();
      } catch (RuntimeException e) {
        refusals.add(e);
      }
    }
    late.clear();
    return refusals;
  }

  public int commits() {
    return commits;
  }

  @Override
  public TableOperations operations(TableIdentifier table) {
    return new Operations(
        real.operations(table),
        () -> {
          commits++;
          return faults.poll();
        });
  }

  @Override
  public boolean comparesWholeMetadata(TableOperations operations) {
    return real.comparesWholeMetadata(((Operations) operations).delegate());
  }

  /** Real operations whose commits take the next fault, or pass where that is null. */
  static final class Operations implements TableOperations {
    private final TableOperations delegate;
    private final Supplier<Fault> next;

    Operations(TableOperations delegate, Supplier<Fault> next) {
      this.delegate = delegate;
      this.next = next;
    }

    TableOperations delegate() {
      return delegate;
    }

    @Override
    public TableMetadata current() {
      return delegate.current();
    }

    @Override
    public TableMetadata refresh() {
      return delegate.refresh();
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
      Fault fault = next.get();
      if (fault == null) {
        delegate.commit(base, metadata);
      } else {
        fault.commit(delegate, base, metadata);
      }
    }

    @Override
    public FileIO io() {
      return delegate.io();
    }

    @Override
    public EncryptionManager encryption() {
      return delegate.encryption();
    }

    @Override
    public String metadataFileLocation(String fileName) {
      return delegate.metadataFileLocation(fileName);
    }

    @Override
    public LocationProvider locationProvider() {
      return delegate.locationProvider();
    }

    @Override
    public TableOperations temp(TableMetadata uncommitted) {
      return delegate.temp(uncommitted);
    }

    @Override
    public long newSnapshotId() {
      return delegate.newSnapshotId();
    }
  }
}
