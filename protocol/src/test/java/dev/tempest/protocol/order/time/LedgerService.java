package dev.tempest.protocol.order.time;

import dev.tempest.state.State;
import java.util.concurrent.ConcurrentMap;

final class LedgerService implements Ledger {
  private final ConcurrentMap<String, Integer> amounts;

  LedgerService(State state) {
    amounts = state.map("amounts", String.class, Integer.class);
  }

  @Override
  public int add(String account, int amount) {
    return amounts.merge(account, amount, Integer::sum);
  }

  @Override
  public int twice(String account) {
    return amounts.merge(account, 0, (present, zero) -> 2 * present);
  }

  @Override
  public int take(String account, int amount) {
    int present = amount(account);
    if (present < amount) {
      throw new IllegalStateException("only " + present + " left");
    }
    amounts.put(account, present - amount);
    return present - amount;
  }

  @Override
  public int amount(String account) {
    return amounts.getOrDefault(account, 0);
  }
}
