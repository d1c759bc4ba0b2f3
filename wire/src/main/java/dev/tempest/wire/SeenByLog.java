package dev.tempest.wire;

/**
 * What a client has seen of a service whose order is by consensus: all entries of its log below a
 * slot.
 */
public record SeenByLog(long slot) implements Seen {
  /** Refuses what no log has. */
  public SeenByLog {
    if (slot < 0) {
      throw new IllegalArgumentException("slots count from 0, not from " + slot);
    }
  }

  @Override
  public Seen max(Seen other) {
    return switch (other) {
      case Nothing nothing -> this;
      case SeenByLog that -> that.slot > slot ? that : this;
      case SeenByTime that -> that;
    };
  }

  @Override
  public Seen without(Seen other) {
    return equals(other) ? NOTHING : this;
  }

  @Override
  public int sizeBytes() {
    return Long.BYTES;
  }
}
