package dev.tempest.protocol.order;

import dev.tempest.protocol.Address;
import java.util.SortedMap;

/**
 * Which replica of which service it is, among whom, and what it may use.
 *
 * @param service the stable hash of the service's name
 * @param self the id of the replica
 * @param view all replicas of the service, this one included, and where they are reached
 * @param waitingMaxBytes what updates that wait for other replicas may take in memory, about;
 *     beyond it the replica {@linkplain Replica#isFull is full}
 */
public record Placement(
    long service, long self, SortedMap<Long, Address> view, long waitingMaxBytes) {
  /** What waiting updates may take where nothing else is said. */
  private static final long WAITING_USUAL_BYTES = 256L << 20;

  /** Refuses what cannot work. */
  public Placement {
    if (!view.containsKey(self)) {
      throw new IllegalArgumentException(
          "the view " + view.keySet() + " lacks the replica itself, " + self);
    }
    if (waitingMaxBytes < 1) {
      throw new IllegalArgumentException("waiting updates take at least 1 byte");
    }
  }

  /** A place with the usual memory. */
  public static Placement of(long service, long self, SortedMap<Long, Address> view) {
    return new Placement(service, self, view, WAITING_USUAL_BYTES);
  }

  /** The same with another limit for waiting updates. */
  public Placement withWaitingMaxBytes(long bytes) {
    return new Placement(service, self, view, bytes);
  }
}
