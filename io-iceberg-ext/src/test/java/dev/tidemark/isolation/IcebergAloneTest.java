package dev.tidemark.isolation;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.JUnit4;

/** The module works on any runner: it needs neither Flink nor a state backend or database. */
@RunWith(JUnit4.class)
public class IcebergAloneTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void writesAndCommitsWithoutFlinkAndTestLibraries() throws Exception {
    ChildProgram.Result result =
        ChildProgram.withoutJars(
                IcebergAlone.class,
                "flink",
                "rocksdb",
                "doris",
                "sqlite",
                "junit",
                "hamcrest",
                "hadoop-client")
            .run(
                folder.newFolder().toURI().toString(),
                "org.apache.flink.api.common.JobID",
                "org.rocksdb.RocksDB",
                "org.junit.Test");

    assertThat(result.output(), containsString("rows=3"));
    assertThat(result.output(), containsString("facts=3"));
    assertThat(result.output(), result.exitCode(), equalTo(0));
  }
}
