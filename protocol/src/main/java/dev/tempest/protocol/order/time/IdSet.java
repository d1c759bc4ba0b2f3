package dev.tempest.protocol.order.time;

import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.Message.ClientIds;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A set of requests: takes memory for each client, and for each gap in its numbers, but not for
 * each request.
 *
 * <p>Not thread-safe.
 */
final class IdSet {
  private static final IntervalSet NONE = new IntervalSet();

  /** None of them empty. */
  private final SortedMap<Long, IntervalSet> byClient = new TreeMap<>();

  /** The numbers of the client added last: mostly that of the next, too. */
  private @Nullable IntervalSet recent;

  private long recentClient;

  /** The set that a message speaks of. */
  static IdSet of(List<ClientIds> ids) {
    IdSet set = new IdSet();
    for (ClientIds each : ids) {
      if (!each.sequences().isEmpty()) {
        set.byClient.put(each.client(), each.sequences());
      }
    }
    return set;
  }

  /** The set as messages carry it. */
  List<ClientIds> toList() {
    List<ClientIds> ids = new ArrayList<>(byClient.size());
    byClient.forEach((client, sequences) -> ids.add(new ClientIds(client, sequences)));
    return ids;
  }

  /** The numbers of one client; for reading. */
  IntervalSet sequences(long client) {
    return byClient.getOrDefault(client, NONE);
  }

  boolean isEmpty() {
    return byClient.isEmpty();
  }

  /** Of how many clients there are requests. */
  int clients() {
    return byClient.size();
  }

  /** How many requests there are. */
  long size() {
    long size = 0;
    for (IntervalSet each : byClient.values()) {
      for (int interval = 0; interval < each.intervals(); interval++) {
        size += each.last(interval) - each.first(interval) + 1;
      }
    }
    return size;
  }

  boolean contains(RequestId id) {
    return sequences(id.client()).contains(id.sequence());
  }

  void add(RequestId id) {
    IntervalSet known = recent;
    if (known == null || recentClient != id.client()) {
      known = byClient.computeIfAbsent(id.client(), absent -> new IntervalSet());
      recent = known;
      recentClient = id.client();
    }
    known.add(id.sequence());
  }

  void remove(RequestId id) {
    IntervalSet sequences = byClient.get(id.client());
    if (sequences != null && sequences.remove(id.sequence()) && sequences.isEmpty()) {
      byClient.remove(id.client());
      recent = null;
    }
  }

  void addAll(IdSet others) {
    others.byClient.forEach((client, sequences) ->
        byClient.computeIfAbsent(client, absent -> new IntervalSet()).addAll(sequences));
  }

  void removeAll(IdSet others) {
    recent = null;
    others.byClient.forEach((client, sequences) ->
        byClient.computeIfPresent(
            client,
            (same, mine) -> {
              IntervalSet rest = mine.without(sequences);
              return rest.isEmpty() ? null : rest;
            }));
  }

  /** Those of this set that the other lacks. */
  IdSet without(IdSet other) {
    IdSet rest = new IdSet();
    byClient.forEach((client, sequences) -> {
      IntervalSet lacking = sequences.without(other.byClient.getOrDefault(client, NONE));
      if (!lacking.isEmpty()) {
        rest.byClient.put(client, lacking);
      }
    });
    return rest;
  }

  /** Those of this set that the other has, too. */
  IdSet and(IdSet other) {
    return without(without(other));
  }

  /** Hands over the requests of each client, ascending, until {@code action} says false. */
  void forEachWhile(Predicate<RequestId> action) {
    for (Map.Entry<Long, IntervalSet> each : byClient.entrySet()) {
      IntervalSet sequences = each.getValue();
      for (int interval = 0; interval < sequences.intervals(); interval++) {
        long last = sequences.last(interval);
        for (long sequence = sequences.first(interval); sequence < last; sequence++) {
          if (!action.test(new RequestId(each.getKey(), sequence))) {
            return;
          }
        }
        // Outside the loop: the last number may be the largest there is.
        if (!action.test(new RequestId(each.getKey(), last))) {
          return;
        }
      }
    }
  }
}
