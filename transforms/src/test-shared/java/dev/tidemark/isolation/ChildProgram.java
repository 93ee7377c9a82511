package dev.tidemark.isolation;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Runs a main class of this module's tests in its own process, on a part of the class path. */
final class ChildProgram {
  private final Class<?> program;
  private final List<String> withoutJars;
  private final List<String> jvmOptions;

  private ChildProgram(Class<?> program, List<String> withoutJars, List<String> jvmOptions) {
    this.program = program;
    this.withoutJars = withoutJars;
    this.jvmOptions = jvmOptions;
  }

  /** Runs without the jars whose file names hold one of these words. */
  static ChildProgram withoutJars(Class<?> program, String... words) {
    return new ChildProgram(program, List.of(words), List.of());
  }

  /** Runs with these options of the JVM. */
  ChildProgram withJvmOptions(String... options) {
    return new ChildProgram(program, withoutJars, List.of(options));
  }

  /** Runs to the end and returns what the program printed, its errors included. */
  Result run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx512m");
    command.addAll(jvmOptions);
    command.add("-cp");
    command.add(classPath());
    command.add(program.getName());
    command.addAll(Arrays.asList(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Result(process.waitFor(), output);
  }

  private String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !isLeftOut(Path.of(entry).getFileName().toString()))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private boolean isLeftOut(String fileName) {
    String name = fileName.toLowerCase(Locale.ROOT);
    return name.endsWith(".jar") && withoutJars.stream().anyMatch(name::contains);
  }

  /** How a program ended, and everything it printed. */
  record Result(int exitCode, String output) {}
}
