package dev.tempest.bench;

import dev.tempest.FrontEnd;
import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.CollectionConfig;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.Preset;
import java.io.IOException;
import java.io.Serializable;
import java.util.concurrent.ConcurrentHashMap;

/** Where the cart behind the servlet is kept. */
sealed interface CartPlace extends Serializable {
  /** Opens the cart. */
  Cart open() throws IOException, InterruptedException;

  /** In the servlet's process, and nowhere else. */
  record Local() implements CartPlace {
    @Override
    public Cart open() {
      return new Cart.InMap(new ConcurrentHashMap<>());
    }
  }

  /** The same, but one other thread owns it: the floor for callers that block. */
  record HandOver() implements CartPlace {
    @Override
    public Cart open() {
      return new HandOverCart();
    }
  }

  /** In Redis on one server and copies, and a write waits for all. */
  record Redis(int port, int copies) implements CartPlace {
    @Override
    public Cart open() throws IOException, InterruptedException {
      return RedisCart.connect(port, copies);
    }
  }

  /** On three servers of ours, and a write waits for all. */
  record Service(TempestAddress address) implements CartPlace {
    private static final String CUSTOMER = "17850";

    @Override
    public Cart open() {
      FrontEnd frontEnd = FrontEnd.connect(address.frontEnd().acks(3).build());
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
  }

  /** In a map of ours in the servlet's process, and in those of other servlets. */
  record Embedded(String cluster) implements CartPlace {
    @Override
    public Cart open() {
      CollectionConfig eventual = CollectionConfig.DEFAULT.withPreset(Preset.EVENTUAL);
      Node node =
          Tempest.join(NodeConfig.builder().cluster(cluster).collection("cart", eventual).build());
      return new Cart.InMap(node.map("cart", String.class, Integer.class));
    }
  }
}
