package dev.tempest.wire;

/**
 * What a client has seen of one service. What that means is the matter of the service's order: all
 * others keep it, put it together with more of the same service, and hand it on.
 *
 * <p>Immutable and thread-safe.
 */
public sealed interface Seen permits Seen.Nothing, SeenByTime, SeenByLog {
  /** What a client has seen that has asked for nothing yet. */
  Seen NOTHING = new Nothing();

  /**
   * All that was seen with this or with the other; the other, if they are of different orders: the
   * service has another one by now.
   *
   * @throws IllegalArgumentException if that is more than fits
   */
  Seen max(Seen other);

  /** What is in this and not in the other. */
  Seen without(Seen other);

  /** What it takes in memory, in bytes, about. */
  int sizeBytes();

  /** Nothing, of whatever order. */
  record Nothing() implements Seen {
    @Override
    public Seen max(Seen other) {
      return other;
    }

    @Override
    public Seen without(Seen other) {
      return this;
    }

    @Override
    public int sizeBytes() {
      return 0;
    }
  }
}
