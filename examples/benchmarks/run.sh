#!/usr/bin/env bash
# Runs a benchmark suite: builds what it needs, prints a table, and as its last line
# "SUITE name=value ...". Needs Java 17, Maven, and about 4 GB of memory.
#
#   examples/benchmarks/run.sh sketch          event-time sketch against datasketches' t-digest
#   examples/benchmarks/run.sh stock-duplicates   what IcebergIO makes of crashes after a commit (a minute)
#   examples/benchmarks/run.sh iceberg-write   CPU per row against IcebergIO and Iceberg's FlinkSink
#   examples/benchmarks/run.sh doris-write     CPU per row and bytes against the Flink connector of Doris
#   examples/benchmarks/run.sh materializer    CPU per row against the sink materializers of Flink 2.3
#   examples/benchmarks/run.sh end-to-end      CPU per event of the whole change pipeline against Flink SQL 1.19
#   examples/benchmarks/run.sh base-merge      CPU per changed row against Spark's MERGE INTO
#
# iceberg-write takes more than an hour. The short form, for a first look (about ten minutes):
#
#   ROUNDS=1 ROWS=200000 INTERVAL_MILLIS=2000 examples/benchmarks/run.sh iceberg-write
#
# So does materializer; its short form:
#
#   ROUNDS=1 ROWS=0.2 WORKLOADS=' 64' examples/benchmarks/run.sh materializer
#
# doris-write takes about an hour; its short form:
#
#   ROUNDS=1 ROWS=1000000 MEMORY_MIB=0 examples/benchmarks/run.sh doris-write
#
# end-to-end takes more than an hour too; its short form (about four minutes):
#
#   ROUNDS=1 EVENTS=0.2 RUNS='tidemark|with materializer' examples/benchmarks/run.sh end-to-end
#
# base-merge takes about an hour; its short form:
#
#   ROUNDS=1 WARM_UPS=1 MERGES=1 examples/benchmarks/run.sh base-merge
#
# Further parameters are described at IcebergWriteBenchmark, MaterializerBenchmark, DorisWriteBenchmark,
# EndToEndBenchmark and BaseMergeBenchmark. SKIP_BUILD=1 runs what was built before.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../.." && pwd)"
classpath_file="$root/examples/target/benchmark.classpath"
package=dev.tidemark.examples.benchmarks

usage() {
  echo "Usage: $0 sketch | iceberg-write | doris-write | materializer | end-to-end | base-merge | stock-duplicates" >&2
  exit 2
}

maven() {
  mvn -B -ntp -q -Dstyle.color=never -DskipTests "$@" >&2
}

build_tidemark() {
  [[ -n "${SKIP_BUILD:-}" ]] && return
  # The class path of tests: it has a logger.
  maven -f "$root/pom.xml" -pl examples -am package dependency:build-classpath \
    -Dmdep.outputFile=target/benchmark.classpath -Dmdep.includeScope=test
}

build_peer() {
  [[ -n "${SKIP_BUILD:-}" ]] && return
  rm -rf "$here/peers/$1/target"
  maven -f "$here/peers/$1/pom.xml" package
}

[[ $# -eq 1 ]] || usage
case "$1" in
  sketch)
    build_tidemark
    exec java -cp "$root/examples/target/classes:$(cat "$classpath_file")" \
      "$package.SketchBenchmark"
    ;;
  iceberg-write)
    build_tidemark
    build_peer native
    build_peer stock
    tidemark="$root/examples/target/classes:$(cat "$classpath_file")"
    exec java -Xmx512m -Dorg.slf4j.simpleLogger.defaultLogLevel=error \
      -Dtidemark.benchmark.classPath.TidemarkPeer="$tidemark" \
      -Dtidemark.benchmark.classPath.NativePeer="$here/peers/native/target/peer.jar:$here/peers/native/target/lib/*" \
      -Dtidemark.benchmark.classPath.StockPeer="$here/peers/stock/target/peer.jar:$here/peers/stock/target/lib/*" \
      -cp "$tidemark" "$package.icebergwrite.IcebergWriteBenchmark" \
      "$root/examples/target/iceberg-write"
    ;;
  doris-write)
    peers="$root/peers/doris-25.1"
    [[ -n "${SKIP_BUILD:-}" ]] || maven -f "$root/pom.xml" -pl peers/doris-25.1,examples -am package \
      dependency:build-classpath -Dmdep.outputFile=target/benchmark.classpath -Dmdep.includeScope=test
    tidemark="$root/examples/target/classes:$(cat "$classpath_file")"
    exec java -Xmx256m -Dorg.slf4j.simpleLogger.defaultLogLevel=error \
      -Dtidemark.benchmark.classPath.TidemarkDorisPeer="$tidemark" \
      -Dtidemark.benchmark.classPath.ReleasedDorisPeer="$peers/target/classes:$(cat "$peers/target/released.classpath"):$peers/target/released-lib/*" \
      -cp "$tidemark" "$package.doriswrite.DorisWriteBenchmark" \
      "$(ls "$root"/io-doris/target/*-emulator.jar)" "$root/examples/target/doris-write"
    ;;
  materializer)
    peers="$root/peers/flink-2.3"
    # Tidemark runs on the class path of the released operators too: with the same build of RocksDB.
    [[ -n "${SKIP_BUILD:-}" ]] || maven -f "$root/pom.xml" -pl peers/flink-2.3,examples -am package \
      dependency:build-classpath -Dmdep.outputFile=target/benchmark.classpath -Dmdep.includeScope=test
    exec java -Xmx256m \
      -Dtidemark.benchmark.classPath.UpsertPipeline="$root/examples/target/classes:$(cat "$classpath_file")" \
      -cp "$peers/target/test-classes:$(cat "$peers/target/benchmark.classpath")" \
      "$package.materializer.MaterializerBenchmark" "$peers/target/materializer"
    ;;
  end-to-end)
    peers="$root/peers"
    [[ -n "${SKIP_BUILD:-}" ]] || maven -f "$root/pom.xml" -pl peers/flink-sql-1.19,peers/kafka-3.9,examples -am package \
      dependency:build-classpath -Dmdep.outputFile=target/benchmark.classpath -Dmdep.includeScope=test
    tidemark="$root/examples/target/classes:$(cat "$classpath_file")"
    exec java -Xmx2g -Dorg.slf4j.simpleLogger.defaultLogLevel=error \
      -Dtidemark.kafka.classpath="$peers/kafka-3.9/target/kafka.classpath" \
      -Dtidemark.benchmark.classPath.TidemarkJob="$tidemark" \
      -Dtidemark.benchmark.classPath.FlinkSqlJob="$peers/flink-sql-1.19/target/classes:$(cat "$peers/flink-sql-1.19/target/job.classpath")" \
      -cp "$tidemark" "$package.endtoend.EndToEndBenchmark" \
      "$(ls "$root"/io-doris/target/*-emulator.jar)" "$root/examples/target/end-to-end"
    ;;
  base-merge)
    build_tidemark
    build_peer spark
    tidemark="$root/examples/target/classes:$(cat "$classpath_file")"
    exec java -Xmx1g -Dorg.slf4j.simpleLogger.defaultLogLevel=error \
      -Dtidemark.benchmark.classPath.TidemarkMergePeer="$tidemark" \
      -Dtidemark.benchmark.classPath.SparkMergePeer="$here/peers/spark/target/peer.jar:$here/peers/spark/target/lib/*" \
      -cp "$tidemark" "$package.basemerge.BaseMergeBenchmark" \
      "$root/examples/target/base-merge"
    ;;
  stock-duplicates)
    build_peer stock
    warehouse="$(mktemp -d)"
    trap 'rm -rf "$warehouse"' EXIT
    java -Dorg.slf4j.simpleLogger.defaultLogLevel=off \
      --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.util=ALL-UNNAMED \
      --add-opens=java.base/java.util.concurrent=ALL-UNNAMED --add-opens=java.base/java.time=ALL-UNNAMED \
      -cp "$here/peers/stock/target/peer.jar:$here/peers/stock/target/lib/*" \
      "$package.duplicates.StockDuplicates" "$warehouse"
    ;;
  *)
    usage
    ;;
esac
