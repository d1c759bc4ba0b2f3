package dev.tempest.bench.tempest;

import dev.tempest.bench.load.ChildMain;
import dev.tempest.runtime.ServerNode;
import dev.tempest.service.ServiceInstance;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** A server that hosts the services of the benchmarks. */
public final class TempestServer {
  private static final Duration START_MAX = Duration.ofSeconds(30);

  private TempestServer() {}

  /** Serves until the parent is gone. Arguments: servers, multicast port, index of this one. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Map<String, ServiceInstance> services =
        Map.of(
            "echo",
            ServiceInstance.of(Echo.class, state -> new EchoService()),
            "padded-cart",
            ServiceInstance.of(PaddedCart.class, PaddedCartService::new));
    try (ServerNode node =
        ServerNode.start(TempestArguments.server(args[0], args[1], args[2]), services)) {
      if (!node.awaitActive(START_MAX)) {
        throw new IOException("no state within " + START_MAX);
      }
      ChildMain.serve();
    }
  }
}
