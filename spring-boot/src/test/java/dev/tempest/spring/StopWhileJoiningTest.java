package dev.tempest.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.runtime.FreePorts;
import dev.tempest.spring.bank.BankApplication;
import dev.tempest.spring.notes.NotesApplication;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM ends the process of an application whose node waits for members. */
@Timeout(120)
final class StopWhileJoiningTest {
  private static final int PATIENCE_SECONDS = 30;

  @TempDir private Path folder = Path.of("");

  @Test
  void aNodeThatJoins() throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("tempest.yaml"), "collections: {all: {consistency: linearizable}}\n");
    List<Integer> ports = FreePorts.find(3);
    InetSocketAddress absent =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.getLast());
    try (DatagramSocket member = new DatagramSocket(absent)) {
      Process process = start(ports, NotesApplication.class, "--tempest.config=" + config);
      try {
        member.receive(new DatagramPacket(new byte[1], 1)); // It asks, and gets no answer.
        assertEndsSoon(process);
      } finally {
        process.destroyForcibly();
      }
    }
    assertThat(said()).contains("interrupted while the node joined");
  }

  @Test
  void aServiceThatJoins() throws Exception {
    Process process =
        start(FreePorts.find(3), BankApplication.class, "--spring.main.web-application-type=none");
    try {
      while (!said().contains("founded cluster")) { // Next it hosts the service.
        assertThat(process.isAlive()).as("%s", said()).isTrue();
        Thread.onSpinWait();
      }
      assertEndsSoon(process);
    } finally {
      process.destroyForcibly();
    }
    assertThat(said()).contains("Error creating bean with name 'accounts'");
  }

  private void assertEndsSoon(Process process) throws Exception {
    process.toHandle().destroy();
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("%s", said()).isTrue();
  }

  private String said() throws IOException {
    return Files.readString(folder.resolve("out"));
  }

  private Process start(List<Integer> ports, Class<?> application, String property)
      throws IOException {
    List<String> members = ports.stream().map(port -> "127.0.0.1:" + port).toList();
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            application.getName(),
            "--server.port=0",
            property,
            "--tempest.multicast=off",
            "--tempest.listen=" + members.getFirst(),
            "--tempest.members=" + String.join(",", members))
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("out").toFile())
        .start();
  }
}
