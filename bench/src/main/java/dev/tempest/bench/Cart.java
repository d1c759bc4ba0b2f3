package dev.tempest.bench;

import java.io.IOException;
import java.util.concurrent.ConcurrentMap;

/** The cart behind the servlet: how many of each item are in it. Thread-safe; callers block. */
interface Cart {
  /** Puts one more of the item into the cart; returns how many are in it then. */
  int add(String item) throws IOException, InterruptedException;

  /** How many of the item are in the cart. */
  int check(String item) throws IOException, InterruptedException;

  /** In a map of the JDK or one of ours. */
  record InMap(ConcurrentMap<String, Integer> counts) implements Cart {
    @Override
    public int add(String item) {
      return counts.merge(item, 1, Integer::sum);
    }

    @Override
    public int check(String item) {
      return counts.getOrDefault(item, 0);
    }
  }
}
