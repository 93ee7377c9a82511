package dev.tidemark.isolation;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** The module works with Beam alone: no table format, database, state backend or cluster. */
@RunWith(JUnit4.class)
public class TransformsAloneTest {

  @Test
  public void runsWithoutIcebergFlinkAndTestLibraries() throws Exception {
    ChildProgram.Result result =
        ChildProgram.withoutJars(
                TransformsAlone.class,
                "iceberg",
                "flink",
                "rocksdb",
                "doris",
                "hadoop",
                "parquet",
                "avro",
                "junit",
                "hamcrest")
            .run(
                "org.apache.iceberg.Table",
                "org.apache.flink.api.common.JobID",
                "org.rocksdb.RocksDB",
                "org.apache.hadoop.conf.Configuration",
                "org.apache.parquet.schema.MessageType",
                "org.apache.avro.Schema",
                "org.junit.Test");

    assertThat(result.output(), containsString("rows=3"));
    assertThat(result.output(), result.exitCode(), equalTo(0));
  }

  @Test
  public void programRefusesClassThatIsThere() throws Exception {
    ChildProgram.Result result =
        ChildProgram.withoutJars(TransformsAlone.class, "iceberg")
            .run("org.apache.beam.sdk.Pipeline");

    assertThat(result.output(), containsString("Cannot run alone: org.apache.beam.sdk.Pipeline"));
    assertThat(result.exitCode(), equalTo(1));
  }
}
