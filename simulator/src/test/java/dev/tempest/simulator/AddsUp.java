package dev.tempest.simulator;

import dev.tempest.state.State;

/** Adds up what it should chain. */
final class AddsUp implements Ledger {
  private final Ledger real;

  AddsUp(State state) {
    real = new LedgerService(state);
  }

  @Override
  public long append(String key, long tag) {
    return real.add(key, 1, tag);
  }

  @Override
  public long move(String from, String to, long tag) {
    return real.move(from, to, tag);
  }

  @Override
  public long add(String key, long amount, long tag) {
    return real.add(key, amount, tag);
  }

  @Override
  public long spend(String key, long tag) {
    return real.spend(key, tag);
  }

  @Override
  public boolean toggle(String item, long tag) {
    return real.toggle(item, tag);
  }

  @Override
  public long line(int place, long tag) {
    return real.line(place, tag);
  }

  @Override
  public long vote(String item, long amount, long tag) {
    return real.vote(item, amount, tag);
  }

  @Override
  public long executions(long tag) {
    return real.executions(tag);
  }

  @Override
  public long position(long tag) {
    return real.position(tag);
  }

  @Override
  public long sum(String key) {
    return real.sum(key);
  }

  @Override
  public long order() {
    return real.order();
  }
}
