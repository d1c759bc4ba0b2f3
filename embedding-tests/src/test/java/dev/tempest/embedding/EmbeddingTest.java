package dev.tempest.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an application gets that embeds Tempest, started as its own process on its own Java. */
final class EmbeddingTest {
  private static final long CLOSURE_MAX_BYTES = (24L << 20) / 10;

  private static final Path CLASSES = Path.of("target/classes").toAbsolutePath();
  private static final @Nullable String JAVA_21 = System.getenv("JAVA21_HOME");

  @TempDir @Nullable Path folder;

  @Test
  void theJarsOfAnApplicationStaySmall() throws IOException {
    long sizeBytes = 0;
    for (String element : embedded().split(File.pathSeparator, -1)) {
      try (Stream<Path> files = Files.walk(Path.of(element))) {
        sizeBytes +=
            files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
      }
    }
    assertThat(sizeBytes).isPositive().isLessThan(CLOSURE_MAX_BYTES);
  }

  @Test
  void runsOnTheClassPathOfThisJava() throws Exception {
    writesAndReads(thisJava(), onClassPath());
  }

  @Test
  void runsOnTheModulePathOfThisJava() throws Exception {
    writesAndReads(thisJava(), onModulePath());
  }

  @Test
  void runsOnTheClassPathOfJava21() throws Exception {
    writesAndReads(java21(), onClassPath());
  }

  @Test
  void runsOnTheModulePathOfJava21() throws Exception {
    writesAndReads(java21(), onModulePath());
  }

  private void writesAndReads(String java, List<String> path) throws Exception {
    runs(java, path, "Main", "Note[text=milk, version=1]");
    runs(java, path, "Carts", "{alice=Cart[customer=alice, items=3]}");
    runs(java, path, "Accessors", "{Odd 1=Odd -1, Odd 2=Odd -2} {Odd 1=1, Odd 2=2}");
  }

  private void runs(String java, List<String> path, String main, String expected) throws Exception {
    Path output = Path.of(String.valueOf(folder)).resolve("output");
    Path errors = Path.of(String.valueOf(folder)).resolve("errors");
    List<String> command = new ArrayList<>(List.of(java));
    command.addAll(path.subList(0, path.size() - 1));
    command.add(path.getLast() + main);
    int exitCode =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start()
            .waitFor();
    String complaints = Files.readString(errors);
    assertThat(exitCode).as(complaints).isZero();
    assertThat(output).content().isEqualToIgnoringNewLines(expected);
    assertThat(complaints).doesNotContainIgnoringCase("warning", "severe", "exception");
  }

  private static List<String> onClassPath() throws IOException {
    return List.of("-cp", CLASSES + File.pathSeparator + embedded(), "dev.tempest.embedding.");
  }

  private static List<String> onModulePath() throws IOException {
    return List.of(
        "-p",
        CLASSES + File.pathSeparator + embedded(),
        "-m",
        "dev.tempest.embedding/dev.tempest.embedding.");
  }

  private static String thisJava() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static String java21() {
    assumeTrue(JAVA_21 != null, "JAVA21_HOME names no Java 21: not tried on it");
    return Path.of(String.valueOf(JAVA_21), "bin", "java").toString();
  }

  /** Tempest and what it needs, as Maven gives it to an application that asks for the runtime. */
  private static String embedded() throws IOException {
    return Files.readString(Path.of("target/embedded.classpath")).strip();
  }
}
