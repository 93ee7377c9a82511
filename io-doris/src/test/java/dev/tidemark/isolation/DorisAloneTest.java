package dev.tidemark.isolation;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** The module works on any runner: it needs neither Flink, a state backend nor a lake. */
@RunWith(JUnit4.class)
public class DorisAloneTest {
  @Test
  public void writesWithoutFlinkIcebergAndTestLibraries() throws Exception {
    ChildProgram.Result result =
        ChildProgram.withoutJars(
                DorisAlone.class, "flink", "rocksdb", "iceberg", "hadoop", "junit", "hamcrest")
            // What Arrow asks of a JVM.
            .withJvmOptions("--add-opens=java.base/java.nio=ALL-UNNAMED")
            .run(
                "org.apache.flink.api.common.JobID",
                "org.rocksdb.RocksDB",
                "org.apache.iceberg.Table",
                "org.junit.Test");

    assertThat(result.output(), containsString("rows=3"));
    assertThat(result.output(), result.exitCode(), equalTo(0));
  }
}
