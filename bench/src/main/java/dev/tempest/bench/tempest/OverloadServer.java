package dev.tempest.bench.tempest;

import dev.tempest.bench.load.ChildMain;
import dev.tempest.protocol.order.Order;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.runtime.service.Deployment;
import dev.tempest.service.ServiceInstance;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A server of {@link PaddedCart} that can be made to do other work beside. */
public final class OverloadServer {
  private static final Duration START_MAX = Duration.ofSeconds(30);

  private OverloadServer() {}

  /**
   * Serves until the parent is gone. Arguments: servers, multicast port, index of this one,
   * milliseconds between gossip rounds, how servers that differ come to one state ({@code merge} or
   * {@code adopt}).
   *
   * <p>Answers {@code burn <threads> <millis>}, which begins other work, and {@code count <name>},
   * one of the counters.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    int gossipMillis = Integer.parseInt(args[3]);
    Deployment cart =
        new Deployment(
            "padded-cart",
            ServiceInstance.of(PaddedCart.class, PaddedCartService::new),
            Order.EVENTUAL
                .withGossipMillis(gossipMillis, gossipMillis)
                .withAdopts(args[4].equals("adopt")));
    try (LocalNode node =
        LocalNode.start(TempestArguments.server(args[0], args[1], args[2]), List.of(cart))) {
      if (!node.awaitActive(START_MAX)) {
        throw new IOException("no state within " + START_MAX);
      }
      ChildMain.serveLines(line -> answer(node, line.split(" ", -1)));
    }
  }

  private static String answer(LocalNode node, String[] words) {
    return switch (words[0]) {
      case "burn" -> burn(Integer.parseInt(words[1]), Long.parseLong(words[2]));
      case "count" -> String.valueOf(node.counters().getOrDefault(words[1], 0L));
      default -> throw new IllegalArgumentException("unknown: " + words[0]);
    };
  }

  private static String burn(int threads, long millis) {
    long endNanos = System.nanoTime() + millis * 1_000_000;
    for (int i = 0; i < threads; i++) {
      Thread.ofPlatform().daemon().name("other-work-" + i).start(() -> burnUntil(endNanos));
    }
    return "burning";
  }

  private static void burnUntil(long endNanos) {
    while (System.nanoTime() - endNanos < 0) {
      Thread.onSpinWait();
    }
  }
}
