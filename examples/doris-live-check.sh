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
. examples/programs.sh
build_programs
run_program 1g error dev.tidemark.examples.doris.DorisLiveCheck "$@"
