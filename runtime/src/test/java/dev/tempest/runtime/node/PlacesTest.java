package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.order.Order;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Security;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that are looked up in a file, in a process of its own: it reads that file each time. */
class PlacesTest {
  /** Says where the members are, and then whether a service may be linearizable, for each line. */
  static final class Program {
    private Program() {}

    /** Looks up two members. */
    public static void main(String[] arguments) throws IOException {
      Security.setProperty("networkaddress.cache.ttl", "0");
      Security.setProperty("networkaddress.cache.negative.ttl", "0");
      NodeConfig config =
          NodeConfig.builder().members("one:7400", "two:7400").multicastPort(0).build();
      Places places = new Places(config, InetAddress.getLoopbackAddress());
      while (System.in.read() >= 0) {
        String refusal = "none";
        try {
          places.requireMembers("sum is", Order.LINEARIZABLE);
        } catch (IllegalArgumentException refused) {
          refusal = refused.getMessage();
        }
        System.out.println(places.members() + "; refusal: " + refusal);
      }
    }
  }

  @Test
  void whoWasThereIsStillThereWhileNobodyKnowsItsName(@TempDir Path folder) throws Exception {
    Path hosts = folder.resolve("hosts");
    Files.writeString(hosts, "10.0.0.1 one\n10.0.0.2 two\n");
    try (Names names = new Names(hosts)) {
      assertThat(names.ask()).isEqualTo("[10.0.0.1:7400, 10.0.0.2:7400]; refusal: none");
      Files.writeString(hosts, "10.0.0.9 other\n");
      assertThat(names.ask()).isEqualTo("[10.0.0.1:7400, 10.0.0.2:7400]; refusal: none");
      Files.writeString(hosts, "10.0.0.3 two\n");
      assertThat(names.ask()).isEqualTo("[10.0.0.1:7400, 10.0.0.3:7400]; refusal: none");
    }
  }

  /** Each of them could found a group of its own. */
  @Test
  void aNameOfSeveralMachinesIsNoMember(@TempDir Path folder) throws Exception {
    Path hosts = folder.resolve("hosts");
    Files.writeString(hosts, "10.0.0.1 one\n::2 two\n10.0.0.2 two\n");
    try (Names names = new Names(hosts)) {
      assertThat(names.ask()).endsWith("refusal: none"); // One machine may have one of each kind.
      Files.writeString(hosts, "10.0.0.1 one\n10.0.0.2 two\n10.0.0.3 two\n");
      assertThat(names.ask())
          .contains("'two:7400' is several machines: list each of them by a name");
    }
  }

  /** It would count as two, and a group of all members would never be founded. */
  @Test
  void twoNamesOfOneProcessAreNoTwoMembers(@TempDir Path folder) throws Exception {
    Path hosts = folder.resolve("hosts");
    Files.writeString(hosts, "10.0.0.1 one\n10.0.0.1 two\n");
    try (Names names = new Names(hosts)) {
      assertThat(names.ask())
          .contains("members 'one:7400' and 'two:7400' are one process, 10.0.0.1:7400: list it");
      Files.writeString(hosts, "10.0.0.1 one\n10.0.0.2 two\n");
      assertThat(names.ask()).endsWith("refusal: none");
    }
  }

  /** To ask the name service takes seconds, in which the event loop would do nothing else. */
  @ParameterizedTest
  @ValueSource(strings = {"localhost:7400", "1.2.3.4.5:99", "localhost", ":7400", ""})
  void whatAnotherNodeSaysIsAnAddressOrNothing(String text) {
    assertThat(Places.address("127.0.0.1:7400", any -> true)).isNotNull();
    assertThat(Places.address(text, any -> true)).isNull();
  }

  private static final class Names implements AutoCloseable {
    private final Process process;
    private final PrintStream input;
    private final BufferedReader output;

    Names(Path hosts) throws IOException {
      Set<String> classPath = new TreeSet<>(Set.of(System.getProperty("java.class.path")));
      classPath.add(System.getProperty("jdk.module.path", ""));
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Djdk.net.hosts.file=" + hosts,
                  "-cp",
                  String.join(File.pathSeparator, classPath),
                  Program.class.getName())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      input = new PrintStream(process.getOutputStream(), true);
      output = process.inputReader();
    }

    String ask() throws IOException {
      input.write('?');
      input.flush();
      return String.valueOf(output.readLine());
    }

    @Override
    public void close() {
      input.close();
      assertThat(process.onExit().join().exitValue()).isZero();
    }
  }
}
