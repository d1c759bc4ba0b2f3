package dev.tempest.cluster;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/** A server with one release of {@link Accounts}. */
final class AccountsServer {
  static final String SERVICE = "accounts";

  private AccountsServer() {}

  /**
   * Serves until it is told to end.
   *
   * @param arguments a name, where the release is, the server itself, then all servers
   */
  public static void main(String[] arguments) throws IOException {
    ServiceConfig service =
        ServiceConfig.builder(SERVICE, ServiceRelease.CLASS_NAME)
            .jar(Path.of(arguments[1]))
            .build();
    NodeConfig config =
        NodeConfig.builder()
            .listen(arguments[2])
            .members(Arrays.copyOfRange(arguments, 3, arguments.length))
            .service(service)
            .build();
    Node node = Tempest.join(config);
    System.out.println(HostProcess.ANSWER + "ready");
    while (System.in.read() >= 0) {
      // Nobody tells it anything.
    }
    node.close();
  }
}
