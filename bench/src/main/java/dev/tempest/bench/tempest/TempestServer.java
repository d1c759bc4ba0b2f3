package dev.tempest.bench.tempest;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.bench.load.ChildMain;
import java.io.IOException;

/** A server that hosts the services of the benchmarks. */
public final class TempestServer {
  private TempestServer() {}

  /** Serves until the parent is gone. Arguments: servers, multicast port, index of this one. */
  public static void main(String[] args) throws IOException {
    try (Node node = Tempest.join(TempestArguments.server(args[0], args[1], args[2]))) {
      node.host("echo", Echo.class, state -> new EchoService());
      node.host("padded-cart", PaddedCart.class, PaddedCartService::new);
      ChildMain.serve();
    }
  }
}
