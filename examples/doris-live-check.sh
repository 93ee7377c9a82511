#!/usr/bin/env bash
# Checks a live Doris cluster for what the tests can show of the emulator only. Creates a database of its own and
# drops it. The password is read from DORIS_PASSWORD. Refuses to run without an address.
#   examples/doris-live-check.sh FRONTEND_HOST:HTTP_PORT USER
set -euo pipefail
if [ $# -ne 2 ] || [ -z "$1" ] || [ -z "$2" ]; then
  echo "Usage: [DORIS_PASSWORD=...] $0 FRONTEND_HOST:HTTP_PORT USER" >&2
  echo "It writes to the cluster that you name, in a database of its own, and never to another one." >&2
  exit 2
fi
cd "$(dirname "$0")/.."
echo "building (quiet; the first time Maven downloads what it needs) ..." >&2
mvn -B -ntp -q -pl examples -am -DskipTests package dependency:build-classpath \
  -Dmdep.outputFile=target/classpath.txt -Dmdep.includeScope=runtime
opens=()
for package in java.lang java.util java.util.concurrent java.time java.nio; do
  opens+=("--add-opens=java.base/$package=ALL-UNNAMED")
done
exec java -Xmx1g "${opens[@]}" \
  -Dorg.slf4j.simpleLogger.defaultLogLevel="${LOG_LEVEL:-error}" \
  -cp "examples/target/classes:$(cat examples/target/classpath.txt)" \
  dev.tidemark.examples.doris.DorisLiveCheck "$@"
