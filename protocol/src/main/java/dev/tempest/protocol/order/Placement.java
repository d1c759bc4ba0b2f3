package dev.tempest.protocol.order;

import dev.tempest.protocol.Address;
import java.util.SortedMap;

/**
 * Which replica of which service it is, among whom, and what it may use.
 *
 * @param service the stable hash of the service's name
 * @param self the id of the replica
 * @param view all replicas of the service, this one included, and where they are reached
 * @param size how many replicas there are to be; 0 if that is open
 * @param room how much may wait for other replicas
 */
public record Placement(
    long service, long self, SortedMap<Long, Address> view, int size, Room room) {
  /**
   * How much may wait for other replicas.
   *
   * @param waitingMaxBytes what updates that wait may take in memory, about; beyond it the replica
   *     {@linkplain Replica#isFull is full}
   * @param aheadMax how many of its own writes another replica that answers may lack; beyond it the
   *     replica {@linkplain Replica#isAhead is ahead}
   */
  public record Room(long waitingMaxBytes, int aheadMax) {
    /** Where nothing else is said. */
    public static final Room USUAL = new Room(256L << 20, 10_000);

    /** Refuses what lets nothing through. */
    public Room {
      if (waitingMaxBytes < 1 || aheadMax < 1) {
        throw new IllegalArgumentException("at least 1 byte and 1 write may wait");
      }
    }
  }

  /** Refuses what cannot work. */
  public Placement {
    if (!view.containsKey(self)) {
      throw new IllegalArgumentException(
          "the view " + view.keySet() + " lacks the replica itself, " + self);
    }
  }

  /** A place with the usual room. */
  public static Placement of(long service, long self, SortedMap<Long, Address> view) {
    return new Placement(service, self, view, 0, Room.USUAL);
  }
}
