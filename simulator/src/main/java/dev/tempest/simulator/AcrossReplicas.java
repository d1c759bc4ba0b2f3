package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Prefix;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What has to hold between replicas after every step, as long as none settles without the others:
 * what one has settled is the beginning of what another one has, and whoever kept its memory keeps
 * what it has executed.
 */
final class AcrossReplicas {
  /**
   * A replica says what it gives up after ten rounds at most: between so many looks, if it runs.
   */
  private static final int SAID_WITHIN_LOOKS = 16;

  private final Cluster cluster;

  /** What each had settled after its latest step, by node. */
  private final Map<Integer, Prefix> settled = new TreeMap<>();

  /** How many states of others each had taken at the latest look. */
  private final Map<Incarnation, Long> taken = new TreeMap<>();

  AcrossReplicas(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * A message arrives: what it brings may not come after its epoch has settled without it, unless
   * somebody wrote before the others knew of it.
   */
  void arrives(ReplicaProcess process, Message message) {
    if (!(message instanceof Message.Repair repair)
        || !process.isActive()
        || cluster.viewsChange()
        || !mayLackNothing()) {
      return;
    }
    ReplicaMachine replica = process.machine();
    long through = replica.settled().throughEpoch();
    for (Entry entry : repair.entries()) {
      if (process.epochOf(entry) <= through && !process.mayHaveExecuted(entry.id())) {
        throw broken(
            process.name
                + " is sent "
                + entry.id()
                + " of epoch "
                + process.epochOf(entry)
                + " after it has settled through "
                + through);
      }
    }
  }

  /**
   * A replica has made a step: of any two settled states one is the beginning of the other, and
   * what has settled lacks nowhere. After a loss of memory it may: in the state that was taken
   * next.
   */
  void stepped(ReplicaProcess process) {
    cluster.disks().stream().filter(disk -> disk.isOf(process)).forEach(ReplicaDisk::stepped);
    if (!process.isActive()) {
      settled.remove(process.index);
      return;
    }
    Prefix ours = process.machine().settled();
    Prefix before = settled.put(process.index, ours);
    if (ours.equals(before)) {
      return;
    }
    if (before == null && beginsApart(process)) {
      cluster.history().beganApart();
    }
    for (ReplicaProcess other : cluster.replicas()) {
      if (other != process && other.isActive()) {
        Prefix theirs = other.machine().settled();
        if (cluster.viewsChange() && (ours.count() == 0 || theirs.count() == 0)) {
          continue; // A node that began alone, and has nothing: it takes the other's state.
        }
        boolean further = ours.throughEpoch() > theirs.throughEpoch();
        boolean isBeginning =
            (further ? process : other).machine().hasSettled(further ? theirs : ours);
        if (cluster.mayHaveGrownApart()) {
          if (!isBeginning) {
            cluster.history().settledApart();
          }
          continue;
        }
        if (further
            && mayLackNothing()
            && !other.machine().through(ours.throughEpoch()).equals(ours)) {
          throw broken(
              process.name + " has settled " + ours + ", of which " + other.name + " lacks some");
        }
        if (!isBeginning) {
          throw broken(
              process.name + " has settled " + ours + ", and " + other.name + " " + theirs);
        }
      }
    }
  }

  /** Whether it begins with nothing, since those have gone from which it was to get the state. */
  private boolean beginsApart(ReplicaProcess process) {
    SortedMap<Long, Address> told = process.told();
    return told != null
        && process.machine().settled().count() == 0
        && process.machine().taken() == 0
        && cluster.replicas().stream()
            .anyMatch(other -> !told.containsKey(other.senderId()) && hasSomething(other));
  }

  private static boolean hasSomething(ReplicaProcess process) {
    return process.isActive()
        && (process.machine().settled().count() > 0 || !process.machine().unsettled().isEmpty());
  }

  /**
   * A replica has what it is known to have executed, until it loses its memory, gives it up, or has
   * settled more without the others than it remembers. What it gives up for a state that it takes
   * it says a few rounds later.
   */
  void keeps(ReplicaProcess process) {
    if (!process.isActive() || adopts() || cluster.mayHaveForgottenApart()) {
      return;
    }
    Incarnation me = process.incarnation();
    long takenNow = process.machine().taken();
    long takenBefore = taken.getOrDefault(me, 0L); // It may have taken one before it was active.
    taken.put(me, takenNow);
    boolean hasTaken = takenBefore != takenNow;
    for (Operation update : cluster.history().updates()) {
      if (update.executors.contains(me)
          && !update.wasGivenUp()
          && !process.mayHaveExecuted(update)
          && !mayYetSay(update, me, hasTaken, process.isStopped())) {
        throw new Violation.Found(
            new Violation(
                Violation.Kind.LOST, process.name + " has executed and lacks " + update.ids));
      }
    }
  }

  private static boolean mayYetSay(
      Operation update, Incarnation me, boolean hasTaken, boolean isStopped) {
    int looks = hasTaken ? 0 : update.lackedAtLooks.getOrDefault(me, SAID_WITHIN_LOOKS);
    update.lackedAtLooks.put(me, isStopped ? looks : looks + 1);
    return looks < SAID_WITHIN_LOOKS;
  }

  /** Whether nobody lost its memory, and with it what it had agreed to, or gave entries up. */
  private boolean mayLackNothing() {
    return cluster.history().losses() == 0 && !adopts();
  }

  private boolean adopts() {
    return cluster.parameters().adopts();
  }

  private static Violation.Found broken(String sentence) {
    return new Violation.Found(new Violation(Violation.Kind.INVARIANT, sentence));
  }
}
