package dev.tempest.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody gets who unpacks the zip, on Java 21 if JAVA21_HOME names one. */
final class ZipTest {
  private static final long ANSWER_MAX_SECONDS = 60;
  private static final String JAVA_HOME =
      System.getenv().getOrDefault("JAVA21_HOME", System.getProperty("java.home"));

  @TempDir @Nullable Path folder;
  private Path home = Path.of("");

  @BeforeEach
  void unpack() throws IOException {
    Path zip = Path.of(System.getProperty("zip"));
    Path place = Path.of(String.valueOf(folder));
    try (FileSystem files =
            FileSystems.newFileSystem(zip, Map.of("enablePosixFileAttributes", true));
        Stream<Path> entries = Files.walk(files.getPath("/"))) {
      for (Path entry : entries.filter(Files::isRegularFile).toList()) {
        Path target = place.resolve(entry.toString().substring(1));
        Files.createDirectories(target.getParent());
        Files.copy(entry, target, StandardCopyOption.COPY_ATTRIBUTES);
        Files.setPosixFilePermissions(target, Files.getPosixFilePermissions(entry));
      }
    }
    home = place.resolve(zip.getFileName().toString().replace(".zip", ""));
  }

  @Test
  void holdsLauncherLicencesAndNoBenchmarkNorTest() throws IOException {
    assertThat(home.resolve("bin/tempest")).isExecutable();
    assertThat(List.of("LICENSE", "NOTICE", "THIRD-PARTY.txt", "tempest.yaml"))
        .allMatch(name -> Files.exists(home.resolve(name)));
    try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
      assertThat(jars.map(jar -> jar.getFileName().toString()))
          .anyMatch(jar -> jar.startsWith("tempest-cli"))
          .noneMatch(jar -> jar.matches(".*(hazelcast|xchart|bench|junit|assertj).*"));
    }
  }

  @Test
  void saysItsVersionAndItsJava() throws Exception {
    assertThat(tempest("--version")).startsWith("tempest 0.").contains("Java ");
  }

  @Test
  void refusesAnOldJavaInASentence() throws Exception {
    Path old = Path.of(String.valueOf(folder)).resolve("java-17");
    Files.createDirectories(old.resolve("bin"));
    Files.writeString(old.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
    Path java = Files.writeString(old.resolve("bin/java"), "");
    assertThat(java.toFile().setExecutable(true)).isTrue();

    ProcessBuilder launcher = launcher("--version");
    launcher.environment().putAll(Map.of("JAVA_HOME", old.toString(), "PATH", "/usr/bin:/bin"));
    assertThat(run(launcher, 69))
        .contains("no Java 21 or later", "/java-17/bin/java is Java 17", "set JAVA_HOME");
  }

  @Test
  void servesCallsAndShowsItsStatus() throws Exception {
    String address = "127.0.0.1:" + freePort();
    ProcessBuilder builder =
        launcher(
            "server",
            "--config",
            "tempest.yaml",
            "--listen",
            address,
            "--members",
            address,
            "--until-stdin-closes");
    Process server = builder.redirectErrorStream(true).start();
    try (BufferedReader lines = server.inputReader()) {
      List<String> said = new ArrayList<>();
      while (!said.contains("ready")) {
        String line = lines.readLine();
        assertThat(line).as("what follows " + said).isNotNull();
        said.add(line);
      }
      assertThat(tempest("call", "--servers", address, "cart", "add", "alice", "apple", "3"))
          .isEqualToIgnoringNewLines("3");
      assertThat(tempest("status", "--servers", address)).contains("cart", "executed");
    } finally {
      server.getOutputStream().close();
      assertThat(server.waitFor(ANSWER_MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
  }

  private String tempest(String... arguments) throws IOException, InterruptedException {
    return run(launcher(arguments), 0);
  }

  private static String run(ProcessBuilder launcher, int expected)
      throws IOException, InterruptedException {
    Process process = launcher.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isEqualTo(expected);
    return output;
  }

  private ProcessBuilder launcher(String... arguments) {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/tempest").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(home.toFile());
    builder.environment().put("JAVA_HOME", JAVA_HOME);
    return builder;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
