#!/usr/bin/env bash
# Writes examples/templates/cdc-metadata.json and the options in docs/reference-cdc-pipeline.md from the interfaces of the
# options, and docs/reference-generated.md from all that has a name. A test fails where they differ.
set -euo pipefail
cd "$(dirname "$0")/.."
. examples/programs.sh
build_programs
(run_program 512m error dev.tidemark.examples.cdc.TemplateMetadata .)
run_program 512m error dev.tidemark.examples.reference.ReferencePage .
