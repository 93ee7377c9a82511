#!/usr/bin/env bash
# Builds what the simulation needs and runs it: a week of changes from four writers into one change table, on an
# embedded Flink cluster and a simulated clock. Prints the staircase of commits and watermark, draws it, and exits
# non-zero if a finalized hour got a row that was not reported.
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
  -Dorg.slf4j.simpleLogger.defaultLogLevel="${LOG_LEVEL:-off}" \
  -cp "examples/target/classes:$(cat examples/target/classpath.txt)" \
  dev.tidemark.examples.week.Week "$@"
