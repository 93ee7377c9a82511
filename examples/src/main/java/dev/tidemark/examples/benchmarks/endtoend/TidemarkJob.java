package dev.tidemark.examples.benchmarks.endtoend;

import dev.tidemark.examples.benchmarks.load.PeerSettings;
import dev.tidemark.examples.cdc.CdcPipeline;
import java.util.ArrayList;
import java.util.List;

/** The change pipeline, by its command line. */
final class TidemarkJob {
  /** Four times the highest parallelism, which is as few as there may be. */
  private static final int SHARDS = 16;

  private TidemarkJob() {}

  public static void main(String[] args) {
    List<String> options = new ArrayList<>();
    options.addAll(
        List.of(
            "--flinkMaster=[local]",
            "--flinkConfDir=" + PeerSettings.required("flinkConfiguration"),
            // A run that fails is no run.
            "--numberOfExecutionRetries=0",
            "--parallelism=" + PeerSettings.required("parallelism"),
            "--checkpointingInterval=" + PeerSettings.intervalMillis(),
            "--stateBackendFactory=dev.tidemark.flink.IncrementalRocksDb",
            "--stateBackendStoragePath=file://" + PeerSettings.checkpoints(),
            "--candidateStoreMemoryMb=" + PeerSettings.required("storeMemoryMb"),
            "--candidateStoreDirectory=" + PeerSettings.required("storeFolder")));
    options.addAll(
        List.of(
            "--source=KAFKA",
            "--kafkaServers=" + PeerSettings.required("brokers"),
            "--tables=" + PeerSettings.required("tables"),
            "--deadLetterFolder=" + PeerSettings.required("deadLetters"),
            "--catalogType=hadoop",
            "--catalogWarehouse=" + PeerSettings.required("warehouse"),
            "--icebergNamespace=" + ChangeTable.NAMESPACE,
            "--writerId=bench",
            "--upsertShards=" + SHARDS,
            "--dorisFrontends=" + PeerSettings.required("frontend"),
            "--dorisUser=" + PeerSettings.required("user"),
            "--dorisPassword=${file:" + PeerSettings.required("passwordFile") + "}",
            "--dorisDatabase=" + PeerSettings.required("database"),
            "--dorisDelivery=TWO_PHASE_COMMIT",
            // As many as the other side has writers.
            "--dorisShards=" + PeerSettings.required("parallelism")));
    CdcPipeline.main(options.toArray(new String[0]));
  }
}
