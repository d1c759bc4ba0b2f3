package dev.tempest.bench.servlet;

import java.util.concurrent.ConcurrentMap;

/** A cart in a map of the JDK or one of ours. */
record MapCart(ConcurrentMap<String, Integer> counts) implements Cart {
  @Override
  public int add(String item) {
    return counts.merge(item, 1, Integer::sum);
  }

  @Override
  public int check(String item) {
    return counts.getOrDefault(item, 0);
  }
}
