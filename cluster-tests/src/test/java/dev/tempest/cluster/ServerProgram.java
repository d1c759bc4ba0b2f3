package dev.tempest.cluster;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/** A server with a {@link JournalOfUpdates}, whose network loses some of what arrives. */
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
  public static void main(String[] arguments) throws IOException {
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
    while (System.in.read() >= 0) {
      // Nobody tells it anything.
    }
    node.close();
  }
}
