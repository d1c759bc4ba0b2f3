package dev.tempest.cluster;

import dev.tempest.runtime.ServerConfig;
import dev.tempest.runtime.ServerNode;
import dev.tempest.service.ServiceInstance;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A server with a {@link JournalOfUpdates}, whose network loses some of what arrives. */
final class ServerProgram {
  static final String SERVICE = "journal";

  private static final double LOST_PERCENT = 1;
  private static final Duration JOINS_WITHIN = Duration.ofSeconds(60);

  private ServerProgram() {}

  /**
   * Serves until it is killed.
   *
   * @param arguments a name, the server itself, then all servers
   */
  public static void main(String[] arguments) throws InterruptedException {
    List<String> servers = Arrays.asList(arguments).subList(2, arguments.length);
    ServerConfig config =
        ServerConfig.of(arguments[1], servers)
            .withBindHost(arguments[1].split(":", 2)[0])
            .withDropPercent(LOST_PERCENT);
    ServiceInstance service = ServiceInstance.of(JournalOfUpdates.Service.class);
    ServerNode node = ServerNode.start(config, Map.of(SERVICE, service));
    boolean active = node.awaitActive(JOINS_WITHIN);
    System.out.println(HostProcess.ANSWER + (active ? "ready" : "without state"));
    node.awaitClosed();
  }
}
