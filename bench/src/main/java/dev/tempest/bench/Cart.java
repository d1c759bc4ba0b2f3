package dev.tempest.bench;

import dev.tempest.FrontEnd;
import dev.tempest.Tempest;
import dev.tempest.config.CollectionConfig;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.Preset;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The cart behind the servlet: how many of each item are in it. Thread-safe; callers block. */
interface Cart {
  /** Puts one more of the item into the cart; returns how many are in it then. */
  int add(String item) throws IOException, InterruptedException;

  /** How many of the item are in the cart. */
  int check(String item) throws IOException, InterruptedException;

  /** Where it is kept. */
  @FunctionalInterface
  interface Place extends Serializable {
    /** Opens it, in the servlet's process. */
    Cart open() throws IOException, InterruptedException;
  }

  /** In a map of the JDK or one of ours. */
  record InMap(ConcurrentMap<String, Integer> counts) implements Cart {
    /** One of ours in the servlet's process, and in those of other servlets. */
    static Cart embedded(String cluster) {
      CollectionConfig eventual = CollectionConfig.builder().preset(Preset.EVENTUAL).build();
      NodeConfig.Builder node = NodeConfig.builder().cluster(cluster).collection("cart", eventual);
      return new InMap(Tempest.join(node.build()).map("cart", String.class, Integer.class));
    }

    /** The same in an order that these nodes agree on. */
    static Cart linearizable(String cluster, List<String> nodes, int index) {
      CollectionConfig agreed =
          CollectionConfig.builder().consistency(Consistency.LINEARIZABLE).build();
      NodeConfig node =
          NodeConfig.builder()
              .cluster(cluster)
              .listen(nodes.get(index))
              .members(nodes.toArray(String[]::new))
              .collection("cart", agreed)
              .build();
      return new InMap(Tempest.join(node).map("cart", String.class, Integer.class));
    }

    @Override
    public int add(String item) {
      return counts.merge(item, 1, Integer::sum);
    }

    @Override
    public int check(String item) {
      return counts.getOrDefault(item, 0);
    }
  }

  /**
   * A cart in a local map that one other thread owns: what any caller pays that blocks until
   * another thread has its answer, and nothing else.
   */
  final class HandOver implements Cart {
    private final InMap cart = new InMap(new ConcurrentHashMap<>());

    /** The queue has no lock, and wakes the thread only if it waits. */
    private final ExecutorService owner =
        new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedTransferQueue<>());

    @Override
    public int add(String item) throws IOException, InterruptedException {
      return ask(() -> cart.add(item));
    }

    @Override
    public int check(String item) throws IOException, InterruptedException {
      return ask(() -> cart.check(item));
    }

    private int ask(Callable<Integer> what) throws IOException, InterruptedException {
      try {
        return owner.submit(what).get();
      } catch (ExecutionException failed) {
        throw new IOException(failed);
      }
    }
  }

  /** On three servers of ours, and a write waits for all. */
  record InService(PaddedCart cart) implements Cart {
    private static final byte[] PADDING = {};

    static Cart connect(TempestAddress address) {
      FrontEnd frontEnd = FrontEnd.connect(address.frontEnd().acks(3).build());
      return new InService(frontEnd.service(PaddedCart.class));
    }

    @Override
    public int add(String item) {
      return cart.add(CartClient.CUSTOMER, item, 1, PADDING);
    }

    @Override
    public int check(String item) {
      return cart.check(CartClient.CUSTOMER, item, PADDING);
    }
  }
}
