#!/usr/bin/env bash
# Builds what the demonstration needs and runs it: recorded change events through a streaming pipeline on an
# embedded Flink cluster into Iceberg tables, and the rows they come to into Doris tables, for which an emulator stands
# in. Exits non-zero if a table is not equal to the source's.
set -euo pipefail
cd "$(dirname "$0")/.."
echo "building (quiet; the first time Maven downloads what it needs) ..." >&2
mvn -B -ntp -q -pl examples -am -DskipTests package dependency:build-classpath \
  -Dmdep.outputFile=target/classpath.txt -Dmdep.includeScope=runtime
opens=()
for package in java.lang java.util java.util.concurrent java.time java.nio; do
  opens+=("--add-opens=java.base/$package=ALL-UNNAMED")
done
exec java -Xmx2g "${opens[@]}" \
  -Dorg.slf4j.simpleLogger.defaultLogLevel="${LOG_LEVEL:-error}" \
  -cp "examples/target/classes:$(cat examples/target/classpath.txt)" \
  dev.tidemark.examples.demo.Demo "$@"
