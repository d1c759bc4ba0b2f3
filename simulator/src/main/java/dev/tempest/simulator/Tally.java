package dev.tempest.simulator;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.Counter;
import dev.tempest.state.State;

/** A service that costs next to nothing: what is measured is what surrounds it. */
interface Tally {
  /** Adds to the sum. */
  @Update
  void add(long amount);

  /** The sum of all that was added. */
  @Read
  long sum();

  /** Over one counter. */
  final class Service implements Tally {
    private final Counter sum;

    Service(State state) {
      this.sum = state.counter("sum");
    }

    @Override
    public void add(long amount) {
      sum.add(amount);
    }

    @Override
    public long sum() {
      return sum.get();
    }
  }
}
