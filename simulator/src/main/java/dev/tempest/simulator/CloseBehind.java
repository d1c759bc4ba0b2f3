package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.wire.Entry;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.Message.Ack;
import dev.tempest.wire.Message.Repair;
import dev.tempest.wire.RequestId;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What has to hold because writers wait: a replica that keeps up with a process, as both can know
 * by what it has confirmed and what has settled, never lacks more of its writes than it may.
 */
final class CloseBehind {
  /** Well within the second after which nobody waits for who says nothing new. */
  private static final long PATIENCE_NANOS = 500_000_000;

  /** A writer that waits looks so often whether it may go on. */
  private static final long LOOK_AGAIN_NANOS = 2_000_000;

  /** What a replica has confirmed of the writes of one life of a process. */
  private static final class Confirmed {
    final IntervalSet sequences = new IntervalSet();

    /** So much had been written when it came: that it has this may be taken for granted. */
    final long writtenBefore;

    boolean keepsUp;
    long saidNanos;

    Confirmed(long writtenBefore) {
      this.writtenBefore = writtenBefore;
    }

    /** Its process knows that it has all through this one. */
    long atLeast() {
      return sequences.first(0) > 1 ? 0 : sequences.last(0);
    }

    /** Whoever has said nothing new for so long is away: it comes closer again when it is back. */
    void losePatience(long nowNanos) {
      keepsUp &= nowNanos - saidNanos < PATIENCE_NANOS;
    }

    /** Its process may know that, if it has asked for nothing before the first confirmed. */
    IntervalSet atMost() {
      IntervalSet known = sequences.copy();
      if (writtenBefore > 0) {
        known.addAll(IntervalSet.of(1, writtenBefore));
      }
      return known;
    }
  }

  /** The writes of one life of a process. */
  private static final class Life {
    final Incarnation writer;
    final long client;
    final Map<Long, Confirmed> byReplica = new TreeMap<>();
    long lastSequence;

    /** It has sent these to all: of later ones it does not ask what others have. */
    long spreadThrough;

    Life(Incarnation writer, long client) {
      this.writer = writer;
      this.client = client;
    }
  }

  private final Cluster cluster;
  private final int most;
  private final Map<Integer, Life> lives = new TreeMap<>();

  /** By replica what those that are gone had of the writes of each client. */
  private final Map<Long, Map<Long, IntervalSet>> gone = new TreeMap<>();

  CloseBehind(Cluster cluster) {
    this.cluster = cluster;
    this.most = cluster.parameters().limits().aheadMax();
  }

  /** Whether a writer waits; then it looks again soon. */
  boolean waits(ReplicaProcess process, SimProcess.Input.Writes writes) {
    if (!process.machine().isAhead()) {
      return false;
    }
    Incarnation life = process.incarnation();
    cluster.at(
        cluster.nowNanos() + LOOK_AGAIN_NANOS,
        () -> {
          if (life.equals(process.incarnation())) {
            process.write(writes.acks(), writes.patienceMillis());
          }
        });
    return true;
  }

  /** A process has been told who is there: whoever comes back is asked anew. */
  void told(ReplicaProcess process, SortedMap<Long, Address> view) {
    Life life = lives.get(process.index);
    if (life != null) {
      life.byReplica.keySet().retainAll(view.keySet());
      long written = life.lastSequence;
      view.keySet()
          .forEach(
              replica -> life.byReplica.computeIfAbsent(replica, come -> new Confirmed(written)));
    }
  }

  /** A process has taken what a replica confirms. */
  void confirmed(ReplicaProcess process, Ack ack) {
    Life life = lives.get(process.index);
    if (life == null
        || !life.writer.equals(process.incarnation())
        || life.client != ack.ids().client()
        || !process.present().contains(ack.replica())) {
      return;
    }
    Confirmed confirmed =
        life.byReplica.computeIfAbsent(ack.replica(), replica -> new Confirmed(0));
    IntervalSet spread = IntervalSet.of(1, Math.max(1, life.spreadThrough));
    IntervalSet sent = spread.without(spread.without(ack.ids().sequences()));
    IntervalSet news = sent.without(confirmed.sequences);
    confirmed.sequences.addAll(news);
    if (!news.isEmpty() && news.last(news.intervals() - 1) > confirmed.writtenBefore) {
      confirmed.losePatience(cluster.nowNanos()); // Its silence may have been between two writes.
      confirmed.saidNanos = cluster.nowNanos();
      confirmed.keepsUp |= life.lastSequence - confirmed.atLeast() <= most / 2;
    }
  }

  /**
   * A process is about to lose its memory. Who writes learns of that later: until then it may go on
   * by what it knows of this one, such as that both had settled some.
   */
  void crashes(ReplicaProcess process) {
    Map<Long, IntervalSet> byClient = new TreeMap<>();
    for (Life life : lives.values()) {
      IntervalSet had = new IntervalSet();
      for (long sequence = 1; sequence <= life.lastSequence; sequence++) {
        if (process.mayHaveExecuted(new RequestId(life.client, sequence))) {
          had.addAll(IntervalSet.of(sequence, sequence));
        }
      }
      byClient.put(life.client, had);
    }
    gone.put(process.senderId(), byClient);
  }

  /** A process sends writes of its own to all. */
  void spreads(ReplicaProcess process, Repair writes) {
    Life life = lives.get(process.index);
    if (life != null && life.writer.equals(process.incarnation())) {
      for (Entry each : writes.entries()) {
        if (each.id().client() == life.client) {
          life.spreadThrough = Math.max(life.spreadThrough, each.id().sequence());
        }
      }
    }
  }

  /** A process has written. */
  void wrote(ReplicaProcess process, RequestId id) {
    Life life = lives.get(process.index);
    if (life == null || !life.writer.equals(process.incarnation())) {
      life = new Life(process.incarnation(), id.client());
      lives.put(process.index, life);
    }
    life.lastSequence = id.sequence();
    for (Map.Entry<Long, Confirmed> each : life.byReplica.entrySet()) {
      Confirmed confirmed = each.getValue();
      confirmed.losePatience(cluster.nowNanos());
      if (confirmed.keepsUp
          && life.lastSequence - confirmed.atMost().last(0) > most + 1
          && life.lastSequence - withSettled(process, life, each) > most + 1) {
        throw new Violation.Found(
            new Violation(
                Violation.Kind.TOO_FAR_BEHIND,
                process.name
                    + " goes on to write although "
                    + cluster.names().view(List.of(each.getKey()))
                    + ", which keeps up, has confirmed "
                    + confirmed.sequences
                    + " of "
                    + life.lastSequence
                    + " writes, and may lack "
                    + most));
      }
    }
  }

  /**
   * Through which write a process may know that a replica has them, as it has settled some. Only
   * those count that the replica really has: what settled without them is found here, too.
   */
  private long withSettled(ReplicaProcess process, Life life, Map.Entry<Long, Confirmed> replica) {
    IntervalSet known = replica.getValue().atMost();
    long firstUnsettled =
        process.machine().unsettled().stream()
            .filter(entry -> entry.id().client() == life.client)
            .mapToLong(entry -> entry.id().sequence())
            .min()
            .orElse(life.lastSequence);
    for (long sequence = known.last(0) + 1; sequence < firstUnsettled; sequence++) {
      if (isAt(replica.getKey(), new RequestId(life.client, sequence))) {
        known.addAll(IntervalSet.of(sequence, sequence));
      }
    }
    return known.last(0);
  }

  /** Whether a replica has a write, even if it has forgotten its writer; or had it to the last. */
  private boolean isAt(long replica, RequestId id) {
    List<ReplicaProcess> up =
        cluster.replicas().stream()
            .filter(each -> each.isUp() && each.senderId() == replica)
            .toList();
    if (up.isEmpty()) {
      IntervalSet had = gone.getOrDefault(replica, new TreeMap<>()).get(id.client());
      return had != null && had.contains(id.sequence());
    }
    return up.stream().anyMatch(each -> each.mayHaveExecuted(id));
  }
}
