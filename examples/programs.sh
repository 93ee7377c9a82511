# Sourced by the scripts of this folder and by bin/env: how programs of module examples are built and run.
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

# What Arrow, Flink and Hadoop need of a JVM on Java 17.
opens=()
for package in java.lang java.util java.util.concurrent java.time java.nio; do
  opens+=("--add-opens=java.base/$package=ALL-UNNAMED")
done

build_programs() {
  echo "building (quiet; the first time Maven downloads what it needs) ..." >&2
  mvn -B -ntp -q -f "$root/pom.xml" -pl examples -am -DskipTests package >&2
}

# Their class path, once they are built.
programs_classpath() {
  printf '%s' "$root/examples/target/classes:$(cat "$root/examples/target/classpath.txt")"
}

# run_program HEAP LOG_LEVEL CLASS ARGUMENTS...: takes the place of the shell. The level is of no account where LOG_LEVEL is set.
run_program() {
  local heap="$1" level="${LOG_LEVEL:-$2}" logger quiet=()
  shift 2
  if [[ "$level" != off ]]; then
    # Warnings that are none here: a cluster in a process has no log file and no tokens, Hadoop has no native library,
    # and names of steps are longer than Flink shows them in metrics.
    for logger in org.apache.flink.metrics.MetricGroup org.apache.flink.runtime.security.token \
      org.apache.flink.runtime.webmonitor.WebMonitorUtils org.apache.hadoop.util.NativeCodeLoader; do
      quiet+=("-Dorg.slf4j.simpleLogger.log.$logger=error")
    done
  fi
  exec java "-Xmx$heap" "${opens[@]}" "-Dorg.slf4j.simpleLogger.defaultLogLevel=$level" "${quiet[@]}" \
    -cp "$(programs_classpath)" "$@"
}
