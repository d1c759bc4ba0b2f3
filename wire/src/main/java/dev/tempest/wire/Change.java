package dev.tempest.wire;

import dev.tempest.values.encoding.Bytes;

/**
 * The write set of an execution: replicas apply it and run nothing.
 *
 * @param writes as the state of the service encodes them
 */
public record Change(Bytes writes) implements Body {
  @Override
  public int sizeBytes() {
    return writes.size();
  }
}
