package dev.tempest.wire;

import dev.tempest.values.encoding.Bytes;

/**
 * The write set of an execution: replicas apply it and run nothing.
 *
 * @param part 0 for all of it, else a number of what is left of it: two replicas may leave out
 *     different things, and one of the two counts
 * @param writes as the state of the service encodes them
 */
public record Change(int part, Bytes writes) implements Body {
  /** All that an execution wrote. */
  public Change(Bytes writes) {
    this(0, writes);
  }

  /** What is left of the writes of an execution. */
  public static Change partOf(Bytes writes) {
    return new Change(Math.max(1, writes.stableHash() & Integer.MAX_VALUE), writes);
  }

  @Override
  public long number() {
    return part;
  }

  @Override
  public int sizeBytes() {
    return writes.size();
  }
}
