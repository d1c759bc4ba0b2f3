package dev.tempest.wire;

import dev.tempest.wire.Message.Prefix;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a client has seen of a service that is ordered by time: a set of updates, as what had
 * settled and what had not.
 *
 * <p>Immutable as long as nobody changes the interval sets in it; then thread-safe.
 *
 * @param settled all updates that had settled where it was read
 * @param stamp the highest stamp among the others, or higher; 0 if there are none
 * @param clients the other updates, clients ascending, at most {@link #CLIENTS_MAX}
 */
public record SeenByTime(Prefix settled, long stamp, List<OfClient> clients) implements Seen {
  /** Of so many clients at most there may be unsettled updates. */
  public static final int CLIENTS_MAX = 1_024;

  /** So many intervals at most an update set of one client has. */
  public static final int INTERVALS_MAX = 1_024;

  private static final int CLIENT_BYTES = 80;
  private static final int INTERVAL_BYTES = 2 * Long.BYTES;

  /** Nothing. */
  public static final SeenByTime NOTHING = new SeenByTime(new Prefix(-1, 0, 0), 0, List.of());

  /**
   * Updates of one client.
   *
   * @param stamp about the highest of their stamps: whoever forgets clients knows how old it is
   * @param sequences which they are; not empty
   */
  public record OfClient(long client, long stamp, IntervalSet sequences) {}

  /** Refuses more than it may have. */
  public SeenByTime {
    clients = List.copyOf(clients);
    if (clients.size() > CLIENTS_MAX) {
      throw new IllegalArgumentException(
          "unsettled updates of " + clients.size() + " clients: at most " + CLIENTS_MAX + " fit");
    }
  }

  /** One update, which may not have settled. */
  public static SeenByTime of(RequestId id, long stamp) {
    IntervalSet sequences = IntervalSet.of(id.sequence(), id.sequence());
    return new SeenByTime(
        NOTHING.settled(), stamp, List.of(new OfClient(id.client(), stamp, sequences)));
  }

  /** All updates that are in this or in the other; of what had settled, what reaches further. */
  @Override
  public Seen max(Seen other) {
    return switch (other) {
      case Nothing nothing -> this;
      case SeenByTime that -> max(that);
      case SeenByLog that -> that;
    };
  }

  private SeenByTime max(SeenByTime other) {
    if (equals(other) || other.equals(NOTHING)) {
      return this;
    }
    Map<Long, OfClient> all = new TreeMap<>();
    clients.forEach(each -> all.put(each.client(), each));
    other.clients.forEach(each -> all.merge(each.client(), each, SeenByTime::both));
    boolean further = other.settled.throughEpoch() > settled.throughEpoch();
    return new SeenByTime(
        further ? other.settled : settled,
        Math.max(stamp, other.stamp),
        new ArrayList<>(all.values()));
  }

  @Override
  public Seen without(Seen other) {
    return switch (other) {
      case Nothing nothing -> this;
      case SeenByTime that -> without(that);
      case SeenByLog that -> this;
    };
  }

  private SeenByTime without(SeenByTime other) {
    Map<Long, OfClient> theirs = new TreeMap<>();
    other.clients.forEach(each -> theirs.put(each.client(), each));
    List<OfClient> rest = new ArrayList<>();
    for (OfClient each : clients) {
      OfClient known = theirs.get(each.client());
      IntervalSet more =
          known == null ? each.sequences() : each.sequences().without(known.sequences());
      if (!more.isEmpty()) {
        rest.add(new OfClient(each.client(), each.stamp(), more));
      }
    }
    return new SeenByTime(settled.equals(other.settled) ? NOTHING.settled : settled, stamp, rest);
  }

  @Override
  public int sizeBytes() {
    int bytes = 0;
    for (OfClient each : clients) {
      bytes += CLIENT_BYTES + each.sequences().intervals() * INTERVAL_BYTES;
    }
    return bytes;
  }

  private static OfClient both(OfClient one, OfClient other) {
    IntervalSet sequences = one.sequences().copy();
    sequences.addAll(other.sequences());
    if (sequences.intervals() > INTERVALS_MAX) {
      throw new IllegalArgumentException(
          sequences.intervals() + " intervals of one client: at most " + INTERVALS_MAX + " fit");
    }
    return new OfClient(one.client(), Math.max(one.stamp(), other.stamp()), sequences);
  }
}
