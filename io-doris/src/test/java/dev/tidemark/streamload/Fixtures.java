package dev.tidemark.streamload;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** What tests of the client share. */
final class Fixtures {
  /** Looks like nothing else, has characters that URLs encode, and is looked for in every text. */
  static final String PASSWORD = "S3cr3t:/@p ä%";

  static final String USER = "loader-of-rows";
  static final String LABEL = "pre_db-t-0123_0_1_7";
  static final String SUCCESS =
      """
      {"TxnId": 1030, "Label": "%s", "Comment": "", "TwoPhaseCommit": "%s", "Status": "Success",
       "Message": "OK", "NumberTotalRows": 3, "NumberLoadedRows": 3, "NumberFilteredRows": 0,
       "NumberUnselectedRows": 0, "LoadBytes": 480, "LoadTimeMs": 12}
      """;

  private Fixtures() {}

  static DorisCluster cluster(String... frontends) {
    return DorisCluster.of(List.of(frontends), USER, PASSWORD)
        .withConnectTimeout(Duration.ofSeconds(5))
        .withRequestTimeout(Duration.ofSeconds(20))
        .withLoadTimeout(Duration.ofSeconds(20));
  }

  static LoadRequest request() {
    return request("some Arrow bytes".getBytes(StandardCharsets.UTF_8));
  }

  static LoadRequest request(byte[]... body) {
    return LoadRequest.of("db", "t", LABEL, List.of("id", "name"), List.of(body));
  }

  static String success() {
    return SUCCESS.formatted(LABEL, "false");
  }

  static String location(ScriptedServer backend) {
    return backend.address().replace("://", "://" + USER + ":S3cr3t%3A%2F%40p+%C3%A4%25@")
        + "/api/db/t/_stream_load?";
  }
}
