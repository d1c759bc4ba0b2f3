package dev.tempest.protocol.frontend;

import dev.tempest.protocol.Rendezvous;
import dev.tempest.wire.Message.Beacon;
import dev.tempest.wire.Message.BeaconAnswer;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which replicas are fast now: those that answered the latest beacon first. Silent ones and those
 * with many more requests than others come last, until they answer beacons as others do.
 *
 * <p>Sends nothing by itself, and nothing is due while no reads are made.
 */
final class Fastest {
  /** So often is asked who is fast, while there are reads. */
  static final long BEACON_EVERY_NANOS = 500_000_000;

  /** How long a replica that did not answer counts as silent, unless it answers. */
  private static final long SILENT_NANOS = 1_000_000_000;

  /** A replica is overloaded if it has so many times the requests of the least loaded one ... */
  private static final int LOAD_FACTOR = 4;

  /** ... and so many more: a few are no load. */
  private static final int LOAD_SPARE = 16;

  private final long client;
  private final List<Long> replicas;
  private final Map<Long, Ranking> rankings = new LinkedHashMap<>();
  private final Map<Long, Long> silentUntilNanos = new LinkedHashMap<>();
  private final Map<Long, Integer> loads = new LinkedHashMap<>();

  Fastest(long client, List<Long> replicas) {
    this.client = client;
    this.replicas = replicas;
  }

  /** The beacon to send to all replicas before a read; null if none is due. */
  @Nullable Beacon beacon(long service, long nowNanos) {
    if (replicas.size() == 1) {
      return null;
    }
    Ranking ranking = rankings.computeIfAbsent(service, hash -> new Ranking(nowNanos));
    if (nowNanos < ranking.nextBeaconNanos) {
      return null;
    }
    ranking.nextBeaconNanos = nowNanos + BEACON_EVERY_NANOS;
    ranking.earlier = ranking.latest;
    ranking.latest = new ArrayList<>(replicas.size());
    return new Beacon(service, new RequestId(client, ++ranking.beacons));
  }

  /** A replica answered a beacon. */
  void answered(BeaconAnswer answer) {
    long replica = answer.replica();
    Ranking ranking = rankings.get(answer.service());
    if (ranking == null || answer.id().client() != client || !replicas.contains(replica)) {
      return;
    }
    heard(replica, answer.load());
    if (answer.id().sequence() == ranking.beacons && !ranking.latest.contains(replica)) {
      ranking.latest.add(replica);
    }
  }

  /** A replica said something, and how loaded it is. */
  void heard(long replica, int load) {
    if (!silentUntilNanos.isEmpty()) {
      silentUntilNanos.remove(replica);
    }
    loads.put(replica, load);
  }

  /** A replica did not answer, or said that it cannot. */
  void silent(long replica, long nowNanos) {
    silentUntilNanos.put(replica, nowNanos + SILENT_NANOS);
  }

  /**
   * How many of the first replicas in the request's order would not answer: as many more are asked.
   */
  int silentAmongFirst(int count, RequestId id, long nowNanos) {
    if (silentUntilNanos.isEmpty()) {
      return 0;
    }
    int silent = 0;
    for (long replica : replicas) {
      if (isSilent(replica, nowNanos) && Rendezvous.rank(id, replica, replicas) < count + silent) {
        silent++;
      }
    }
    return silent;
  }

  /**
   * All replicas, the one to ask first at the beginning: by their answers to the latest beacon, and
   * while none has answered that to the one before; the others in the rendezvous order of the
   * request, from the rank of the attempt on.
   */
  List<Long> order(long service, RequestId id, int attempt, long nowNanos) {
    Set<Long> byAnswer = new LinkedHashSet<>();
    Ranking ranking = rankings.get(service);
    if (ranking != null) {
      byAnswer.addAll(ranking.latest);
      byAnswer.addAll(ranking.earlier);
    }
    for (int rank = attempt; byAnswer.size() < replicas.size(); rank++) {
      byAnswer.add(Rendezvous.at(rank % replicas.size(), id, replicas));
    }
    List<Long> order = new ArrayList<>(byAnswer.size());
    List<Long> overloaded = new ArrayList<>(0);
    List<Long> silent = new ArrayList<>(0);
    long loadMax = LOAD_SPARE + LOAD_FACTOR * leastLoad(nowNanos);
    for (long replica : byAnswer) {
      if (isSilent(replica, nowNanos)) {
        silent.add(replica);
      } else {
        (loads.getOrDefault(replica, 0) > loadMax ? overloaded : order).add(replica);
      }
    }
    order.addAll(overloaded);
    order.addAll(silent);
    return order;
  }

  private boolean isSilent(long replica, long nowNanos) {
    Long until = silentUntilNanos.get(replica);
    return until != null && until > nowNanos;
  }

  private long leastLoad(long nowNanos) {
    long least = Integer.MAX_VALUE;
    for (long replica : replicas) {
      if (!isSilent(replica, nowNanos)) {
        least = Math.min(least, loads.getOrDefault(replica, 0));
      }
    }
    return least;
  }

  /** The answers to the beacons of one service, first come, first. */
  private static final class Ranking {
    List<Long> latest = new ArrayList<>(0);
    List<Long> earlier = new ArrayList<>(0);
    long beacons;
    long nextBeaconNanos;

    Ranking(long nowNanos) {
      nextBeaconNanos = nowNanos;
    }
  }
}
