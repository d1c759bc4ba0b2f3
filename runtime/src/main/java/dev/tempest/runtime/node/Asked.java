package dev.tempest.runtime.node;

import dev.tempest.protocol.Address;
import dev.tempest.wire.RequestId;

/** Which request of whom waits: attempts of one are equal. */
record Asked(long service, RequestId id, Address from) implements Comparable<Asked> {
  /** So that names that are made to collide cost little. */
  @Override
  public int compareTo(Asked that) {
    int byService = Long.compare(service, that.service);
    return byService != 0 ? byService : id.compareTo(that.id);
  }
}
