package dev.tempest.cluster;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/**
 * A server with a {@link JournalOfUpdates} and, if it is told so, a {@link Ledger}, whose network
 * loses some of what arrives.
 */
final class ServerProgram {
  static final String SERVICE = "journal";

  /** In the folder where it runs: if there is such a folder, each server has its own in it. */
  static final Path CHECKPOINTS = Path.of("checkpoints");

  private ServerProgram() {}

  /** Where a server has its checkpoints. */
  static Path checkpoints(String address) {
    return CHECKPOINTS.resolve(address.replace(':', '-'));
  }

  /**
   * Serves until it is killed.
   *
   * @param arguments a name, how many of 100 datagrams it loses, the server itself, then all
   *     servers
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    System.setProperty("tempest.test.drop-percent", arguments[1]);
    String service = JournalOfUpdates.Service.class.getName();
    NodeConfig config =
        NodeConfig.builder()
            .listen(arguments[2])
            .members(Arrays.copyOfRange(arguments, 3, arguments.length))
            .service(ServiceConfig.builder(SERVICE, service).build())
            .checkpointFolder(Files.exists(CHECKPOINTS) ? checkpoints(arguments[2]).toString() : "")
            .checkpointEvery(Duration.ofSeconds(1))
            .build();
    Node node = Tempest.join(config);
    System.out.println(HostProcess.ANSWER + "ready");
    Ledger ledger = new Ledger(node, arguments[0]);
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      System.out.println(HostProcess.ANSWER + perform(ledger, line));
    }
    node.close();
  }

  private static String perform(Ledger ledger, String command) throws InterruptedException {
    String[] words = command.split(" ", 2);
    return switch (words[0]) {
      case "write" -> ledger.write();
      case "acknowledged" -> ledger.acknowledged();
      case "rest" -> ledger.rest();
      case "wrong" -> ledger.wrong(Ledger.counts(words[1]));
      default -> throw new IllegalArgumentException("unknown command: " + command);
    };
  }
}
