package dev.tempest.simulator;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Sees every execution of every update at every replica, and how it ended. */
final class Witness {
  private final Map<Long, Set<Object>> returned = new LinkedHashMap<>();
  private final Map<Long, Set<String>> threw = new LinkedHashMap<>();

  /** What the executions of the update with this tag have returned. */
  Set<Object> returned(long tag) {
    return returned.getOrDefault(tag, new LinkedHashSet<>(0));
  }

  /** The messages of what they have thrown. */
  Set<String> threw(long tag) {
    return threw.getOrDefault(tag, new LinkedHashSet<>(0));
  }

  private <T> T see(long tag, Supplier<T> execution) {
    try {
      T result = execution.get();
      returned.computeIfAbsent(tag, first -> new LinkedHashSet<>(1)).add(result);
      return result;
    } catch (RuntimeException thrown) {
      threw
          .computeIfAbsent(tag, first -> new LinkedHashSet<>(1))
          .add(String.valueOf(thrown.getMessage()));
      throw thrown;
    }
  }

  /** A ledger that does what the other one does, before a witness. */
  Ledger watch(OlderLedger real) {
    return new Watched(real);
  }

  private final class Watched implements Ledger {
    private final OlderLedger real;

    Watched(OlderLedger real) {
      this.real = real;
    }

    @Override
    public long append(String key, long tag) {
      return see(tag, () -> real.append(key, tag));
    }

    @Override
    public long move(String from, String to, long tag) {
      return see(tag, () -> real.move(from, to, tag));
    }

    @Override
    public long add(String key, long amount, long tag) {
      return see(tag, () -> real.add(key, amount, tag));
    }

    @Override
    public long spend(String key, long tag) {
      return see(tag, () -> real.spend(key, tag));
    }

    @Override
    public boolean toggle(String item, long tag) {
      return see(tag, () -> real.toggle(item, tag));
    }

    @Override
    public long line(int place, long tag) {
      return see(tag, () -> ((Ledger) real).line(place, tag)); // Nobody asks the older release.
    }

    @Override
    public long vote(String item, long amount, long tag) {
      return see(tag, () -> real.vote(item, amount, tag));
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
}
