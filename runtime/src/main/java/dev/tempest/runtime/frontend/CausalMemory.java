package dev.tempest.runtime.frontend;

import dev.tempest.wire.Seen;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** What the requests of a causal chain have seen so far. Thread-safe. */
public final class CausalMemory {
  private final AtomicReference<SeenByService> all;

  /** A chain that begins having seen that. */
  public CausalMemory(SeenByService all) {
    this.all = new AtomicReference<>(all);
  }

  /** All that it has seen so far. */
  public SeenByService seen() {
    return all.get();
  }

  /** From now on it has seen that as well. */
  public void saw(SeenByService other) {
    all.updateAndGet(known -> known.max(other));
  }

  /** What it has seen of one service. */
  Seen seen(long service) {
    return all.get().of(service);
  }

  /**
   * A request ended.
   *
   * @param sent what it had seen when that was sent
   * @param got what it has seen now; if by a read, all of {@code sent} included
   */
  void saw(long service, Seen sent, Seen got, boolean byRead) {
    UnaryOperator<SeenByService> more =
        known -> {
          Seen before = known.of(service);
          return known.with(service, max(got, byRead ? before.without(sent) : before));
        };
    all.updateAndGet(more);
  }

  /** More than a handle holds is not kept: replicas refuse to read so much as well. */
  private static Seen max(Seen got, Seen before) {
    try {
      return got.max(before);
    } catch (IllegalArgumentException tooMuch) {
      return got.sizeBytes() > before.sizeBytes() ? got : before;
    }
  }
}
