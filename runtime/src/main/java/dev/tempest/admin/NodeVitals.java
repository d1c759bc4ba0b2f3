package dev.tempest.admin;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a node tells the process that it is in, beside what it tells everybody. All counts begin
 * with the node.
 *
 * @param status as others are told it, with up to 64 members and 256 collections
 * @param network how many datagrams, connections and messages came, went, and were lost or refused,
 *     by kind
 * @param updatesWaiting how many updates of services have arrived and wait for their turn
 * @param readsWaiting how many reads do
 * @param loopBusy for how long the event loop has done something; the rest of the time it waited
 * @param latencies by what was measured; what cannot occur here is left out
 */
public record NodeVitals(
    NodeStatus status,
    Map<String, Long> network,
    int updatesWaiting,
    int readsWaiting,
    Duration loopBusy,
    Map<Measured, Latencies> latencies) {
  /** What takes time. */
  public enum Measured {
    /** An update of a service: from its arrival until it was executed here, or put into a log. */
    UPDATE,
    /** A read of a service: from its arrival until it was executed here, or others are asked. */
    READ,
    /** A write into eventual collections that waited until others had it, too: the wait. */
    WRITE,
    /** A write into linearizable collections, until it counted. */
    LINEARIZABLE_WRITE,
    /** A turn of the event loop: whatever arrives meanwhile waits for its end. */
    TURN;

    /** For people, such as {@code linearizable-write}. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Keeps its own copies. */
  public NodeVitals {
    network = Collections.unmodifiableMap(new LinkedHashMap<>(network));
    latencies = Collections.unmodifiableMap(new LinkedHashMap<>(latencies));
  }
}
