#!/usr/bin/env bash
# Builds what the simulation needs and runs it: a week of changes from four writers into one change table, on an
# embedded Flink cluster and a simulated clock. Prints the staircase of commits and watermark, draws it, and exits
# non-zero if a finalized hour got a row that was not reported.
set -euo pipefail
cd "$(dirname "$0")/.."
. examples/programs.sh
build_programs
run_program 2g off dev.tidemark.examples.week.Week "$@"
