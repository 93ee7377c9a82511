#!/usr/bin/env bash
# Builds what the demonstration needs and runs it: recorded change events through a streaming pipeline on an
# embedded Flink cluster into Iceberg tables, and the rows they come to into Doris tables, for which an emulator stands
# in. Exits non-zero if a table is not equal to the source's.
set -euo pipefail
cd "$(dirname "$0")/.."
. examples/programs.sh
build_programs
run_program 2g error dev.tidemark.examples.demo.Demo "$@"
