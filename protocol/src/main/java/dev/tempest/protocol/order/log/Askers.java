package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Address;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Who waits for the answers of updates that are not committed yet: so many at most, and for so
 * long; whoever waits longer asks again. And which clients have asked again lately.
 */
final class Askers {
  private static final int OF_ONE_MAX = 4;

  /** For so long at most. */
  static final long WAIT_NANOS = 10_000_000_000L;

  private static final int AGAIN_MAX = 1_024;
  private static final long AGAIN_NANOS = 1_000_000_000;

  /**
   * Who waits.
   *
   * @param several whether the answers of more than one replica are waited for
   */
  private record Waiting(long sinceNanos, List<Address> all, boolean several) {}

  private final LinkedHashMap<RequestId, Waiting> oldestFirst = new LinkedHashMap<>();

  private final int updatesMax;
  private long forgotten;

  /** When clients last asked again. */
  private final LinkedHashMap<Long, Long> again = new LinkedHashMap<>();

  /** Of so many updates it knows who waits. */
  Askers(int updatesMax) {
    this.updatesMax = updatesMax;
  }

  /** How many it does not know any more since there were others. */
  long forgotten() {
    return forgotten;
  }

  /** Somebody waits for the answer of an update, from now on again if it did already. */
  void add(RequestId id, Address from, long nowNanos) {
    add(id, from, false, nowNanos);
  }

  /** The same of somebody who waits for the answers of several replicas, maybe. */
  void add(RequestId id, Address from, boolean several, long nowNanos) {
    Waiting before = oldestFirst.remove(id);
    Waiting waiting =
        before == null
            ? new Waiting(nowNanos, new ArrayList<>(1), several)
            : new Waiting(nowNanos, before.all, before.several || several);
    oldestFirst.put(id, waiting);
    if (waiting.all.size() < OF_ONE_MAX && !waiting.all.contains(from)) {
      waiting.all.add(from);
    }
    if (oldestFirst.size() > updatesMax) {
      oldestFirst.pollFirstEntry();
      forgotten++;
    }
    while (nowNanos - oldestFirst.firstEntry().getValue().sinceNanos > WAIT_NANOS) {
      oldestFirst.pollFirstEntry();
    }
  }

  /** Those who wait for it, and go on waiting. */
  List<Address> of(RequestId id) {
    Waiting waiting = oldestFirst.get(id);
    return waiting == null ? List.of() : waiting.all;
  }

  /** Those who wait for it, no longer. */
  List<Address> take(RequestId id) {
    Waiting waiting = oldestFirst.isEmpty() ? null : oldestFirst.remove(id);
    return waiting == null ? List.of() : waiting.all;
  }

  /** Whether one answer to an update from elsewhere may be too little. */
  boolean areSeveral(RequestId id) {
    Waiting waiting = oldestFirst.get(id);
    return waiting != null && (waiting.several || waiting.all.size() > 1);
  }

  /**
   * A client asks. If not for the first time, then whoever was to answer it may not reach it; so it
   * may look, too, where somebody else is silent, or what it asked for was passed on.
   */
  void hear(long client, int attempt, long nowNanos) {
    if (attempt > 0) {
      again.putLast(client, nowNanos);
      if (again.size() > AGAIN_MAX) {
        again.pollFirstEntry(); // It asks again if it has to.
      }
    }
  }

  /** Whether the client of any of those has lately. */
  boolean haveAskedAgain(List<SlotEntry> entries, long nowNanos) {
    for (SlotEntry entry : entries) {
      if (entry.id() != null && hasAskedAgain(entry.id().client(), nowNanos)) {
        return true;
      }
    }
    return false;
  }

  /** Whether this client has lately. */
  boolean hasAskedAgain(long client, long nowNanos) {
    while (!again.isEmpty() && nowNanos - again.firstEntry().getValue() > AGAIN_NANOS) {
      again.pollFirstEntry();
    }
    return !again.isEmpty() && again.containsKey(client); // Most of the time it is empty.
  }
}
