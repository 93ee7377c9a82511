#!/usr/bin/env bash
# Writes examples/templates/cdc-metadata.json and the options in docs/reference-cdc-pipeline.md from the interfaces of the
# options. A test fails where they differ.
set -euo pipefail
cd "$(dirname "$0")/.."
mvn -B -ntp -q -pl examples -am -DskipTests package dependency:build-classpath \
  -Dmdep.outputFile=target/classpath.txt -Dmdep.includeScope=runtime
exec java -cp "examples/target/classes:$(cat examples/target/classpath.txt)" \
  dev.tidemark.examples.cdc.TemplateMetadata .
