package dev.tempest.protocol.order.time;

import dev.tempest.wire.Entry;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.Message.ClientIds;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import dev.tempest.wire.SeenByLog;
import dev.tempest.wire.SeenByTime;
import dev.tempest.wire.SeenByTime.OfClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compares what a replica has executed with what a client has seen, both as sets of requests: no
 * mark and no time can tell which of the newest updates have arrived where.
 *
 * <p>Only reads the window.
 */
final class SessionGuarantees {
  private final Window window;
  private final int most;

  /**
   * @param most of how many clients, and in how many intervals of one, a handle says what was seen
   */
  SessionGuarantees(Window window, int most) {
    this.window = window;
    this.most = most;
  }

  /** All that has been executed here; null if it is more than a handle holds. */
  @Nullable SeenByTime all() {
    if (window.ids().clients() > most) {
      return null;
    }
    List<OfClient> clients = new ArrayList<>(window.ids().clients());
    for (ClientIds each : window.ids().toList()) {
      IntervalSet sequences = each.sequences();
      if (sequences.intervals() > most) {
        return null;
      }
      long last = sequences.last(sequences.intervals() - 1);
      Entry latest = Objects.requireNonNull(window.find(new RequestId(each.client(), last)));
      clients.add(new OfClient(each.client(), latest.stamp(), sequences.copy()));
    }
    return new SeenByTime(window.settled(), window.newestStamp(), clients);
  }

  /** Those of the client's unsettled updates that have not been executed here. */
  List<ClientIds> lacking(SeenByTime seen) {
    List<ClientIds> lacking = new ArrayList<>(0);
    for (OfClient each : seen.clients()) {
      IntervalSet rest = lacking(each.client(), each.sequences());
      if (!rest.isEmpty() && !isForgotten(each)) {
        lacking.add(new ClientIds(each.client(), rest));
      }
    }
    return lacking;
  }

  /** Those of a client's updates that are not known to have been executed here. */
  IntervalSet lacking(long client, IntervalSet sequences) {
    return window.clients().lacking(client, sequences).without(window.ids().sequences(client));
  }

  /** Whether the first of what was lacking is here now: then a closer look is worth it. */
  boolean mayHaveCome(List<ClientIds> lacking) {
    if (lacking.isEmpty()) {
      return true;
    }
    ClientIds first = lacking.getFirst();
    return window.contains(new RequestId(first.client(), first.sequences().first(0)));
  }

  /** Whether something of it has not been executed here; {@code lacking} as above. */
  boolean isBehind(SeenByTime seen, List<ClientIds> lacking) {
    return !lacking.isEmpty() || !hasSettled(seen.settled());
  }

  /** Whether all of it has been executed here. */
  boolean hasSeen(Seen seen) {
    SeenByTime byTime = byTime(seen);
    return !isBehind(byTime, lacking(byTime));
  }

  /** What was seen of an order that is this one. */
  static SeenByTime byTime(Seen seen) {
    return switch (seen) {
      case Seen.Nothing nothing -> SeenByTime.NOTHING;
      case SeenByTime byTime -> byTime;
      case SeenByLog byLog -> SeenByTime.NOTHING; // What the service had seen before is gone.
    };
  }

  private boolean hasSettled(Prefix prefix) {
    Prefix settled = window.settled();
    if (prefix.count() == 0 || prefix.equals(settled)) {
      return true;
    }
    return prefix.throughEpoch() > settled.throughEpoch()
        ? window.through(prefix.throughEpoch()).equals(prefix)
        : window.history().mayLeadThrough(settled, prefix);
  }

  /**
   * Whether the client was silent for so long that replicas do not know any more what it had
   * executed: then it has settled.
   */
  private boolean isForgotten(OfClient seen) {
    return window.clients().mayHaveForgotten(seen.client(), seen.stamp());
  }
}
