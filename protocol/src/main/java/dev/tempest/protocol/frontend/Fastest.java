package dev.tempest.protocol.frontend;

import dev.tempest.protocol.Rendezvous;
import dev.tempest.protocol.frontend.Requests.Effect;
import dev.tempest.wire.Message.Beacon;
import dev.tempest.wire.Message.BeaconAnswer;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

  private final long self;
  private List<Long> replicas;
  private final Map<Long, Ranking> rankings = new LinkedHashMap<>();
  private final Map<Long, Known> known = new LinkedHashMap<>();
  private boolean isAnySilent;

  /** Names its beacons by {@code self}. */
  Fastest(long self, List<Long> replicas) {
    this.self = self;
    this.replicas = replicas;
    replicas.forEach(replica -> known.put(replica, new Known()));
  }

  /** The replicas are others now; what is known of those that stay stays known. */
  void change(List<Long> present) {
    replicas = present;
    known.keySet().retainAll(present);
    present.forEach(replica -> known.computeIfAbsent(replica, id -> new Known()));
    rankings.values().forEach(ranking -> ranking.keep(present));
  }

  /** Has all replicas answer at once, if that is due: who is fast, and since when who is there. */
  void ask(long service, long nowNanos, List<Effect> effects) {
    Ranking ranking = rankings.computeIfAbsent(service, hash -> new Ranking(nowNanos));
    if (nowNanos < ranking.nextBeaconNanos) {
      return;
    }
    ranking.nextBeaconNanos = nowNanos + BEACON_EVERY_NANOS;
    ranking.earlier = ranking.latest;
    ranking.latest = new ArrayList<>(replicas.size());
    Beacon beacon = new Beacon(service, new RequestId(self, ++ranking.beacons));
    effects.add(new Effect.Multicast(service, beacon));
  }

  /** A replica answered a beacon. */
  void answered(BeaconAnswer answer, long nowNanos) {
    long replica = answer.replica();
    Ranking ranking = rankings.get(answer.service());
    if (ranking == null || answer.id().client() != self || !replicas.contains(replica)) {
      return;
    }
    heard(replica, answer.load(), nowNanos);
    if (answer.id().sequence() == ranking.beacons && !ranking.latest.contains(replica)) {
      ranking.latest.add(replica);
    }
  }

  /** A replica said something, and how loaded it is. */
  void heard(long replica, int load, long nowNanos) {
    Known about = known.get(replica);
    if (about != null) {
      about.heard = true;
      about.heardNanos = nowNanos;
      about.silent = false;
      about.load = load;
    }
  }

  /**
   * Some of those that were asked have not answered. One that has said something else since is not
   * silent, and a datagram was lost.
   */
  void unanswered(Pending request, long nowNanos) {
    for (long replica : request.asked) {
      Known about = known.get(replica);
      boolean spoke = about != null && about.heard && about.heardNanos > request.sentNanos;
      if (!spoke && !request.executedBy.contains(replica)) {
        silent(replica, nowNanos);
      }
    }
  }

  /** A replica cannot answer for now. */
  void silent(long replica, long nowNanos) {
    Known about = known.get(replica);
    if (about != null) {
      isAnySilent = true;
      about.silent = true;
      about.silentUntilNanos = nowNanos + SILENT_NANOS;
    }
  }

  /** The replicas that would not answer, ascending. */
  List<Long> silent(long nowNanos) {
    if (!isAnySilent) {
      return List.of();
    }
    isAnySilent = known.values().stream().anyMatch(about -> about.silent);
    return replicas.stream().filter(replica -> isSilent(replica, nowNanos)).toList();
  }

  /**
   * All replicas, the one to ask first at the beginning: by their answers to the latest beacon, and
   * while none has answered that to the one before; the others in the rendezvous order of the
   * request, from the rank of the attempt on. Last come those that earlier attempts asked, and
   * after them the silent ones.
   */
  List<Long> order(Pending request, long nowNanos) {
    Set<Long> byAnswer = new LinkedHashSet<>();
    Ranking ranking = rankings.get(request.submit.service());
    if (ranking != null) {
      byAnswer.addAll(ranking.latest);
      byAnswer.addAll(ranking.earlier);
    }
    if (byAnswer.size() < replicas.size()) {
      List<Long> ranked = Rendezvous.ranked(request.id(), replicas);
      for (int i = 0; i < ranked.size(); i++) {
        byAnswer.add(ranked.get((request.attempt - 1 + i) % ranked.size()));
      }
    }
    List<Long> order = new ArrayList<>(byAnswer.size());
    List<Long> overloaded = new ArrayList<>(0);
    List<Long> asked = new ArrayList<>(0);
    List<Long> silent = new ArrayList<>(0);
    long loadMax = LOAD_SPARE + LOAD_FACTOR * leastLoad(nowNanos);
    for (long replica : byAnswer) {
      if (isSilent(replica, nowNanos)) {
        silent.add(replica);
      } else if (request.askedBefore.contains(replica)) {
        asked.add(replica);
      } else {
        (load(replica) > loadMax ? overloaded : order).add(replica);
      }
    }
    order.addAll(overloaded);
    order.addAll(asked);
    order.addAll(silent);
    return order;
  }

  private boolean isSilent(long replica, long nowNanos) {
    Known about = known.get(replica);
    return about != null && about.silent && about.silentUntilNanos > nowNanos;
  }

  private int load(long replica) {
    Known about = known.get(replica);
    return about == null ? 0 : about.load;
  }

  private long leastLoad(long nowNanos) {
    long least = Integer.MAX_VALUE;
    for (long replica : replicas) {
      if (!isSilent(replica, nowNanos)) {
        least = Math.min(least, load(replica));
      }
    }
    return least;
  }

  /** What is known of a replica. */
  private static final class Known {
    boolean heard;
    boolean silent;
    long heardNanos;
    long silentUntilNanos;
    int load;
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

    void keep(List<Long> present) {
      latest.retainAll(present);
      earlier.retainAll(present);
    }
  }
}
