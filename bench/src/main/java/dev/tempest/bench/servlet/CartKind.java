package dev.tempest.bench.servlet;

import dev.tempest.FrontEnd;
import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.bench.tempest.PaddedCart;
import dev.tempest.bench.tempest.TempestArguments;
import dev.tempest.config.CollectionConfig;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.Preset;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** Where the cart behind the servlet is kept. */
public enum CartKind {
  /** In the servlet's process, and nowhere else. */
  LOCAL("local map"),

  /** The same, but one other thread owns it: the floor for callers that block. */
  HAND_OVER("bare hand-over"),

  /** In Redis on one server and two copies, and a write waits for both. */
  REDIS("Redis, WAIT 2"),

  /** On three servers of ours, and a write waits for all. */
  SERVICE("Tempest service, acks 3"),

  /** In a map of ours in the servlet's process, and in those of two more servlets. */
  EMBEDDED("Tempest embedded map");

  private static final String CUSTOMER = "17850";
  private static final int COPIES = 2;

  private final String title;

  CartKind(String title) {
    this.title = title;
  }

  /** The name of the system in results. */
  public String title() {
    return title;
  }

  /** Opens the cart; what the arguments are depends on the kind. */
  Cart open(List<String> arguments) throws IOException, InterruptedException {
    return switch (this) {
      case LOCAL -> new MapCart(new ConcurrentHashMap<>());
      case HAND_OVER -> new HandOverCart();
      case REDIS -> RedisCart.connect(Integer.parseInt(arguments.getFirst()), COPIES);
      case SERVICE -> service(arguments.get(0), arguments.get(1));
      case EMBEDDED -> embedded(arguments.getFirst());
    };
  }

  private static Cart service(String servers, String multicastPort) {
    FrontEnd frontEnd =
        FrontEnd.connect(TempestArguments.frontEnd(servers, multicastPort).acks(3).build());
    PaddedCart cart = frontEnd.service(PaddedCart.class);
    byte[] padding = new byte[0];
    return new Cart() {
      @Override
      public int add(String item) {
        return cart.add(CUSTOMER, item, 1, padding);
      }

      @Override
      public int check(String item) {
        return cart.check(CUSTOMER, item, padding);
      }
    };
  }

  private static Cart embedded(String cluster) {
    CollectionConfig eventual = CollectionConfig.DEFAULT.withPreset(Preset.EVENTUAL);
    Node node =
        Tempest.join(NodeConfig.builder().cluster(cluster).collection("cart", eventual).build());
    return new MapCart(node.map("cart", String.class, Integer.class));
  }
}
