package dev.tidemark.examples.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Flink's REST interface, as its web page and users' scripts use it. */
final class FlinkRest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String BOUNDARY = "tidemark-upload";

  private final String address;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();

  FlinkRest(int port) {
    this.address = "http://127.0.0.1:" + port;
  }

  /** Ids of the TaskManagers that have registered. */
  List<String> taskManagers() throws IOException, InterruptedException {
    List<String> ids = new ArrayList<>();
    get("/taskmanagers").path("taskmanagers").forEach(node -> ids.add(node.path("id").asText()));
    return ids;
  }

  /** Uploads a jar; its id. */
  String upload(Path jar) throws IOException, InterruptedException {
    BodyPublisher body =
        BodyPublishers.concat(
            BodyPublishers.ofString(
                "--"
                    + BOUNDARY
                    + "\r\nContent-Disposition: form-data; name=\"jarfile\"; filename=\""
                    + jar.getFileName()
                    + "\"\r\nContent-Type: application/x-java-archive\r\n\r\n",
                UTF_8),
            BodyPublishers.ofFile(jar),
            BodyPublishers.ofString("\r\n--" + BOUNDARY + "--\r\n", UTF_8));
    JsonNode answer =
        send("POST", "/jars/upload", "multipart/form-data; boundary=" + BOUNDARY, body);
    String file = answer.path("filename").asText();
    return file.substring(file.lastIndexOf('/') + 1);
  }

  /**
   * Runs a jar's main class; the id of the job.
   *
   * @param savepoint to start from; empty for none
   */
  String run(String jar, List<String> args, int parallelism, String savepoint)
      throws IOException, InterruptedException {
    ObjectNode request = json.createObjectNode();
    args.forEach(request.withArray("programArgsList")::add);
    request.put("parallelism", parallelism);
    if (!savepoint.isEmpty()) {
      request.put("savepointPath", savepoint);
    }
    return post("/jars/" + jar + "/run", request).path("jobid").asText();
  }

  String state(String job) throws IOException, InterruptedException {
    return get("/jobs/" + job).path("state").asText();
  }

  /** Whether a job runs, and each of its tasks. */
  boolean isRunning(String job) throws IOException, InterruptedException {
    JsonNode details = get("/jobs/" + job);
    boolean running = details.path("state").asText().equals("RUNNING");
    for (JsonNode vertex : details.path("vertices")) {
      running &= vertex.path("status").asText().equals("RUNNING");
    }
    return running;
  }

  /** The highest parallelism among the tasks of a job. */
  int parallelism(String job) throws IOException, InterruptedException {
    int parallelism = 0;
    for (JsonNode vertex : get("/jobs/" + job).path("vertices")) {
      parallelism = Math.max(parallelism, vertex.path("parallelism").asInt());
    }
    return parallelism;
  }

  long completedCheckpoints(String job) throws IOException, InterruptedException {
    return get("/jobs/" + job + "/checkpoints").path("counts").path("completed").asLong();
  }

  /** How often a job was restored from a checkpoint or savepoint since its JobManager started. */
  long restored(String job) throws IOException, InterruptedException {
    return get("/jobs/" + job + "/checkpoints").path("counts").path("restored").asLong();
  }

  /** The last failures of a job, as texts. */
  String failures(String job) {
    try {
      return get("/jobs/" + job + "/exceptions").toPrettyString();
    } catch (IOException e) {
      return e.toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return e.toString();
    }
  }

  /** Stops a job with a savepoint, without draining; the savepoint's path. */
  String stopWithSavepoint(String job) throws Exception {
    String trigger =
        post("/jobs/" + job + "/stop", json.createObjectNode().put("drain", false))
            .path("request-id")
            .asText();
    List<String> location = new ArrayList<>();
    Poll.until(
        "job " + job + " has stopped with a savepoint",
        PATIENCE,
        () -> {
          JsonNode answer = get("/jobs/" + job + "/savepoints/" + trigger);
          location.add(0, answer.path("operation").path("location").asText());
          return answer.path("status").path("id").asText().equals("COMPLETED");
        },
        () -> failures(job));
    if (location.get(0).isEmpty()) {
      throw new IOException(
          "Cannot stop job "
              + job
              + " with a savepoint: "
              + get("/jobs/" + job + "/savepoints/" + trigger));
    }
    Poll.until("job " + job + " is finished", PATIENCE, () -> state(job).equals("FINISHED"));
    return location.get(0);
  }

  /** Cancels a job. */
  void cancel(String job) throws Exception {
    send("PATCH", "/jobs/" + job + "?mode=cancel", "application/json", BodyPublishers.noBody());
    Poll.until("job " + job + " is canceled", PATIENCE, () -> state(job).equals("CANCELED"));
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    return send("GET", path, "application/json", BodyPublishers.noBody());
  }

  private JsonNode post(String path, JsonNode body) throws IOException, InterruptedException {
    return send("POST", path, "application/json", BodyPublishers.ofString(body.toString(), UTF_8));
  }

  private JsonNode send(String method, String path, String type, BodyPublisher body)
      throws IOException, InterruptedException {
    HttpResponse<String> response =
        http.send(
            HttpRequest.newBuilder(URI.create(address + path))
                .timeout(PATIENCE)
                .header("Content-Type", type)
                .method(method, body)
                .build(),
            BodyHandlers.ofString(UTF_8));
    if (response.statusCode() / 100 != 2) {
      throw new IOException(
          "Cannot "
              + method
              + " "
              + path
              + ": Flink answered "
              + response.body().replace("\\n", "\n"));
    }
    return response.body().isEmpty() ? json.createObjectNode() : json.readTree(response.body());
  }
}
