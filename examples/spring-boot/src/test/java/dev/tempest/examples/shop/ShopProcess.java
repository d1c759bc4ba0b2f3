package dev.tempest.examples.shop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Path;

/** An instance of the shop in a process of its own, which can be killed. */
final class ShopProcess implements AutoCloseable {
  private final int port;
  private final Process process;

  private ShopProcess(int port, Process process) {
    this.port = port;
    this.process = process;
  }

  static ShopProcess start(int port, String cluster) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ShopApplication.class.getName(),
                "--server.port=" + port,
                "--tempest.sessions.seen-within=30s") // However busy this machine is.
            .redirectErrorStream(true);
    builder.environment().put("TEMPEST_CLUSTER", cluster);
    builder.environment().put("TEMPEST_LISTEN", "127.0.0.1");
    return new ShopProcess(port, builder.start());
  }

  int port() {
    return port;
  }

  /** Until it answers requests; what it prints from then on nobody reads. */
  ShopProcess awaitStarted() throws IOException {
    StringBuilder said = new StringBuilder();
    BufferedReader output = process.inputReader();
    while (said.indexOf("Started ShopApplication") < 0) {
      String line = output.readLine();
      if (line == null) {
        throw new IllegalStateException("instance " + port + " ended:\n" + said);
      }
      said.append(line).append('\n');
    }
    Thread.ofVirtual().start(() -> skip(output)); // It would wait for a pipe that is full.
    return this;
  }

  private static void skip(Reader output) {
    try {
      output.transferTo(Writer.nullWriter());
    } catch (IOException killed) {
      // Then there is nothing more to skip.
    }
  }

  /** By SIGTERM, as a deployment does. */
  void stop() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }

  /** By SIGKILL: it can do nothing about it. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
