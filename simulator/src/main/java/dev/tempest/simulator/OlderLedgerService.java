package dev.tempest.simulator;

import dev.tempest.state.Counter;
import dev.tempest.state.Merge;
import dev.tempest.state.State;
import java.util.Map;
import java.util.Set;

/** The older release of the ledger, over replicated collections. */
class OlderLedgerService implements OlderLedger {
  private static final long PRICE = 3;

  private final Map<String, Long> chains;
  private final Map<String, Long> sums;
  private final Set<String> items;
  private final Map<String, Long> votes;
  private final Map<Long, Long> executions;
  private final Map<Long, Long> positions;
  final Counter effects;

  OlderLedgerService(State state) {
    chains = state.map("chains", String.class, Long.class);
    sums = state.map("sums", String.class, Long.class);
    items = state.set("items", String.class);
    votes = state.map("votes", String.class, Long.class);
    executions = state.map("executions", Long.class, Long.class);
    positions = state.map("positions", Long.class, Long.class);
    effects = state.counter("effects");
  }

  final void takeEffect(long tag) {
    executions.merge(tag, 1L, Merge.sum()); // Two count as two also where they travel as changes.
    positions.put(tag, effects.increment());
  }

  private long chain(String key, long link) {
    long chain = Randomness.mix(chains.getOrDefault(key, 0L) ^ link);
    chains.put(key, chain);
    return chain;
  }

  @Override
  public long append(String key, long tag) {
    takeEffect(tag);
    return chain(key, tag);
  }

  @Override
  public long move(String from, String to, long tag) {
    takeEffect(tag);
    Long moved = chains.remove(from);
    return chain(to, moved == null ? 0 : moved);
  }

  @Override
  public long add(String key, long amount, long tag) {
    takeEffect(tag);
    return sums.merge(key, amount, Long::sum);
  }

  @Override
  public long spend(String key, long tag) {
    takeEffect(tag); // Undone with everything else if this throws.
    long rest = sum(key) - PRICE;
    if (rest < 0) {
      throw new IllegalStateException(key + " lacks " + -rest);
    }
    sums.put(key, rest);
    return rest;
  }

  @Override
  public boolean toggle(String item, long tag) {
    takeEffect(tag);
    return items.remove(item) ? false : items.add(item);
  }

  @Override
  public long vote(String item, long amount, long tag) {
    executions.merge(tag, 1L, Merge.sum());
    return votes.merge(item, amount, Long::sum);
  }

  @Override
  public long executions(long tag) {
    return executions.getOrDefault(tag, 0L);
  }

  @Override
  public long position(long tag) {
    return positions.getOrDefault(tag, 0L);
  }

  @Override
  public long sum(String key) {
    return sums.getOrDefault(key, 0L);
  }

  @Override
  public long order() {
    long order = 0;
    for (String key : chains.keySet()) {
      order = Randomness.mix(order ^ key.hashCode());
    }
    for (String item : items) {
      order = Randomness.mix(order ^ item.hashCode());
    }
    for (long tag : executions.keySet()) {
      order = Randomness.mix(order ^ tag);
    }
    return order;
  }
}
