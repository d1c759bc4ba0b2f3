package dev.tempest.simulator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Makes things go wrong in a cluster, at times drawn beforehand, until told to stop. */
final class Faults {
  private static final long MILLI = 1_000_000;

  /** By then those that were off from the start have been set by what most show. */
  private static final int CLOCKS_SET_BY_MILLIS = 2_000;

  static final int FAR_OFF_MIN_MILLIS = 10_000;

  /** With what else takes time less than {@link Parameters#LONG_REUNION_MILLIS}. */
  private static final int SUSPENDED_MAX_MILLIS = 14_000;

  /** Longer than any run takes. */
  private static final int FAR_OFF_MAX_MILLIS = 24 * 3_600_000;

  private static final int LONG_PARTITION_PERCENT = 85;
  private static final int COPY_PERCENT = 10;
  private static final int GIVER_STOPS_PERCENT = 90;

  private final Cluster cluster;
  private final Randomness random;
  private final int untilMillis;
  private final People people;
  private boolean over;

  /** Somebody has set a clock far ahead, and replicas may have gone by it. */
  private boolean setFarAhead;

  /** Those whose clocks have leapt. */
  private final Set<Integer> leapt = new TreeSet<>();

  private boolean suspendedAll;

  /** Nothing begins to go wrong after {@code untilMillis}. */
  Faults(Cluster cluster, Randomness random, int untilMillis) {
    this.cluster = cluster;
    this.random = random;
    this.untilMillis = untilMillis;
    this.people = new People(cluster);
  }

  /** Starts all processes, and plans what goes wrong. */
  void plan(Scenario scenario) {
    if (scenario == Scenario.START_PARTITIONED
        || (scenario == Scenario.BURN && random.chance(20))) {
      partition(0);
    }
    if (scenario == Scenario.UPGRADE) { // Nobody has called yet what only the newer ones have.
      someReplicas(random.between(cluster.replicas().size() / 2, cluster.replicas().size() - 1))
          .forEach(ReplicaProcess::changeRelease);
    }
    boolean staggered =
        scenario == Scenario.STAGGERED_START || (scenario == Scenario.BURN && random.chance(20));
    for (ReplicaProcess replica : cluster.replicas()) {
      long atMillis = staggered ? random.between(0, 3_000) : 0;
      cluster.at(atMillis * MILLI, replica::start);
    }
    cluster.frontEnds().forEach(SimProcess::start);
    switch (scenario) {
      case LOSS, STAGGERED_START, START_PARTITIONED -> {}
      case BURN -> {
        int faults = random.between(3, 14);
        for (int i = 0; i < faults; i++) {
          one(random.pick(List.of(Scenario.values())));
        }
      }
      case CRASH_IN_TURN, CRASH_MINORITY, CRASH_ALL -> one(scenario);
      case CLOCKS -> {
        ReplicaProcess replica = random.pick(cluster.replicas());
        int atMillis = random.between(0, untilMillis);
        switch (random.below(3)) {
          case 0 -> leap(replica, atMillis);
          case 1 -> restartOrSuspend(replica, atMillis);
          default -> {}
        }
        int faults = random.between(1, 4);
        for (int i = 0; i < faults; i++) {
          one(scenario);
        }
      }
      default -> {
        int faults = random.between(1, 4);
        for (int i = 0; i < faults; i++) {
          one(scenario);
        }
      }
    }
    if (cluster.viewsChange() && random.chance(LONG_PARTITION_PERCENT)) {
      partLong();
    }
    if (cluster.findEachOther() && random.chance(COPY_PERCENT)) {
      copyOne(random.between(0, untilMillis));
    }
  }

  /** A running machine is copied, and one of the two has all that the other one has. */
  private void copyOne(int atMillis) {
    ReplicaProcess replica = random.pick(cluster.replicas());
    ReplicaProcess other = random.pick(cluster.replicas());
    at(atMillis, () -> cluster.copies().make(replica, other));
  }

  /** Two sides are parted for so long that each settles what the other one lacks. */
  private void partLong() {
    Parameters parameters = cluster.parameters();
    int millis =
        random.between(1_500, 4_000)
            + (random.chance(50) ? parameters.forgetsAfterMillis() / 2 : 0)
            + parameters.settlesApartAfterMillis();
    if (millis < untilMillis) {
      partReplicas(random.between(0, untilMillis - millis), millis);
    }
  }

  /**
   * A replica is away for so long, and soon after it has left the process of another one ends that
   * has just written: of that the one who is away has some that it has yet to settle. Where memory
   * is little it may come back sooner: a table that is full forgets what is not too old yet.
   */
  void sleepLong(int atMostMillis) {
    Parameters parameters = cluster.parameters();
    int millis =
        parameters.hasLittleMemory() && random.chance(60)
            ? random.between(
                parameters.memory().atLeastMillis(), parameters.memory().atMostMillis())
            : atMostMillis;
    ReplicaProcess sleeper = random.pick(cluster.replicas());
    ReplicaProcess other = random.pick(cluster.replicas());
    int atMillis = random.between(0, untilMillis - millis);
    at(atMillis, () -> sleeper.pause(millis * MILLI, true));
    if (other != sleeper) {
      if (cluster.workload().writes()) {
        at(Math.max(0, atMillis - random.between(0, 100)), () -> other.write(1, 0));
      }
      crash(other, atMillis + random.between(0, 300));
    }
  }

  /** Nothing goes wrong any more: all run, hear each other, and are as fast as they can. */
  void heal() {
    over = true;
    cluster.trace("", "heals");
    cluster.network().mendAll();
    cluster.shedding().end();
    cluster.disks().forEach(ReplicaDisk::mend);
    cluster.copies().end();
    endThoseFarAhead();
    for (int node = 0; node < cluster.nodes(); node++) {
      SimProcess process = cluster.process(node);
      process.start();
      process.recover(cluster.parameters().stepNanos());
    }
  }

  /** Those that are far ahead by now start again without what their disks have. */
  void restartThoseFarAhead() {
    endThoseFarAhead().forEach(ReplicaProcess::start);
  }

  private List<ReplicaProcess> endThoseFarAhead() {
    if (!setFarAhead) {
      return List.of();
    }
    List<ReplicaProcess> ended = people.endThoseFarAhead();
    if (!ended.isEmpty() && leapt.isEmpty() && !suspendedAll) {
      throw new Violation.Found(
          Violation.Kind.FAR_AHEAD,
          ended.getFirst().name + " began with a clock that was far off, and kept its time",
          null);
    }
    return ended;
  }

  /** {@link People#lostTime}. */
  boolean lostTime() {
    return people.lostTime();
  }

  private void one(Scenario kind) {
    int atMillis = random.between(0, untilMillis);
    switch (kind) {
      case PARTITION, START_PARTITIONED -> partition(atMillis);
      case ONE_WAY_CUT -> oneWayCut(atMillis);
      case CRASH_ONE -> crash(random.pick(cluster.replicas()), atMillis);
      case CRASH_MINORITY ->
          someReplicas((cluster.replicas().size() - 1) / 2)
              .forEach(replica -> crash(replica, atMillis + random.between(0, 300)));
      case CRASH_IN_TURN -> crashInTurn();
      case CRASH_ALL ->
          cluster.replicas().forEach(replica -> crash(replica, atMillis + random.between(0, 100)));
      case RESTART_ISOLATED -> restartIsolated(atMillis);
      case CRASH_FRONT_ENDS -> {
        List<FrontEndProcess> frontEnds = cluster.frontEnds();
        crash(
            frontEnds.isEmpty() ? random.pick(cluster.replicas()) : random.pick(frontEnds),
            atMillis);
      }
      case PAUSE -> pause(atMillis);
      case SLOW -> slow(atMillis);
      case CLOCKS -> clocks(atMillis);
      case UPGRADE -> {
        someReplicas(random.between(1, cluster.replicas().size() - 1))
            .forEach(replica -> at(atMillis + random.between(0, 300), replica::changeRelease));
        badSpell(atMillis); // So that who has executed a call is not always heard.
      }
      case LOSS, STAGGERED_START, BURN -> badSpell(atMillis);
    }
  }

  private void at(long millis, Runnable fault) {
    cluster.at(
        millis * MILLI,
        () -> {
          if (!over) {
            fault.run();
          }
        });
  }

  private List<ReplicaProcess> someReplicas(int count) {
    List<ReplicaProcess> shuffled = new ArrayList<>(cluster.replicas());
    for (int i = 0; i < shuffled.size(); i++) {
      Collections.swap(shuffled, i, random.between(i, shuffled.size() - 1));
    }
    return shuffled.subList(0, count);
  }

  /** Half of the time shorter than any timeout, half of the time longer. */
  private int durationMillis() {
    return random.chance(50) ? random.between(20, 600) : random.between(600, 4_000);
  }

  private void partition(int atMillis) {
    partition(atMillis, durationMillis());
  }

  private void partition(int atMillis, int millis) {
    List<Integer> left = new ArrayList<>();
    List<Integer> right = new ArrayList<>();
    for (int node = 0; node < cluster.nodes(); node++) {
      (random.chance(50) ? left : right).add(node);
    }
    cutApart(left, right, atMillis, millis);
  }

  /** With replicas on both sides. */
  private void partReplicas(int atMillis, int millis) {
    List<Integer> left = new ArrayList<>();
    List<Integer> right = new ArrayList<>();
    int first = random.below(cluster.replicas().size());
    for (int node = 0; node < cluster.nodes(); node++) {
      boolean isNext = node == (first + 1) % cluster.replicas().size();
      boolean goesLeft = node == first || (!isNext && random.chance(50));
      (goesLeft ? left : right).add(node);
    }
    cutApart(left, right, atMillis, millis);
  }

  private void cutApart(List<Integer> left, List<Integer> right, int atMillis, int millis) {
    cutBetween(left, right, atMillis, millis);
    cutBetween(right, left, atMillis, millis);
  }

  private void restartIsolated(int atMillis) {
    ReplicaProcess replica = random.pick(cluster.replicas());
    List<Integer> here = new ArrayList<>();
    List<Integer> there = new ArrayList<>();
    for (int node = 0; node < cluster.nodes(); node++) {
      boolean isReplica = node < cluster.replicas().size();
      boolean stays = isReplica ? node == replica.index : random.chance(50);
      (stays ? here : there).add(node);
    }
    // Longer than any patience of a joining replica, so that it starts with no state.
    cutApart(here, there, atMillis, random.between(1_000, 4_000));
    int crashMillis = atMillis + random.between(-200, 200);
    at(Math.max(0, crashMillis), replica::crash);
    int startMillis = Math.max(0, crashMillis) + random.between(1, 100);
    if (random.chance(50)) {
      shiftClock(replica, startMillis, random.between(-1_500, 0));
    }
    at(startMillis, replica::start);
  }

  private void cutBetween(List<Integer> from, List<Integer> to, int atMillis, int millis) {
    Runnable cut =
        () -> {
          cluster.trace("", "from " + names(from) + " nothing gets to " + names(to));
          from.forEach(one -> to.forEach(other -> cluster.network().cut(one, other)));
        };
    Runnable mend =
        () -> {
          cluster.trace("", "from " + names(from) + " messages get to " + names(to) + " again");
          from.forEach(one -> to.forEach(other -> cluster.network().mend(one, other)));
        };
    at(atMillis, cut);
    at(atMillis + millis, mend);
  }

  private List<String> names(List<Integer> nodes) {
    return nodes.stream().map(cluster::nameOf).toList();
  }

  private void oneWayCut(int atMillis) {
    int from = random.below(cluster.nodes());
    int to = random.below(cluster.nodes());
    if (from != to) {
      cutBetween(List.of(from), List.of(to), atMillis, durationMillis());
    }
  }

  private void crash(SimProcess process, int atMillis) {
    int downMillis = durationMillis();
    at(atMillis, process::crash);
    if (random.chance(25)) {
      shiftClock(process, atMillis + downMillis, random.between(-600, 100));
    }
    at(atMillis + downMillis, process::start);
    if (random.chance(GIVER_STOPS_PERCENT)) { // It may be the one that gives it its state.
      ReplicaProcess other = random.pick(cluster.replicas());
      int stopsMillis = atMillis + downMillis + random.between(5, 200);
      long nanos = durationMillis() * MILLI;
      at(stopsMillis, () -> other.pause(nanos, true));
    }
  }

  private void crashInTurn() {
    int atMillis = random.between(0, untilMillis / 2);
    for (ReplicaProcess replica : someReplicas(cluster.replicas().size() / 2 + 1)) {
      crash(replica, atMillis);
      atMillis += durationMillis();
    }
  }

  private void pause(int atMillis) {
    SimProcess process = cluster.process(random.below(cluster.nodes()));
    long nanos = durationMillis() * MILLI;
    boolean deaf = random.chance(50);
    at(atMillis, () -> process.pause(nanos, deaf));
  }

  private void slow(int atMillis) {
    ReplicaProcess replica = random.pick(cluster.replicas());
    long stepNanos = random.between(500_000L, 30_000_000L);
    at(atMillis, () -> replica.stepNanos(stepNanos));
    at(atMillis + durationMillis(), () -> replica.stepNanos(cluster.parameters().stepNanos()));
  }

  private void shiftClock(SimProcess process, int atMillis, int millis) {
    at(
        atMillis,
        () -> {
          cluster.trace(process.name, "sets its clock by " + millis + " ms");
          process.clock.shift(millis * MILLI);
        });
  }

  private void clocks(int atMillis) {
    switch (random.below(5)) {
      case 0 -> suspend(random.pick(cluster.replicas()), atMillis, durationMillis());
      case 1 -> restartOrSuspend(random.pick(cluster.replicas()), atMillis);
      case 2 -> leap(random.pick(cluster.replicas()), atMillis);
      case 3 -> suspendAll(atMillis);
      default ->
          shiftClock(
              cluster.process(random.below(cluster.nodes())), atMillis, random.between(-400, 400));
    }
  }

  private void restartOrSuspend(ReplicaProcess replica, int atMillis) {
    if (cluster.viewsChange()) { // It would begin alone, and nobody tell it the time.
      suspend(replica, atMillis, durationMillis());
    } else {
      restartFarOff(replica, atMillis);
    }
  }

  /** A replica is suspended for so long. */
  void suspendLong(int millis) {
    suspend(random.pick(cluster.replicas()), random.between(0, untilMillis - millis), millis);
  }

  /** It stops, and its clock with it, which goes on from there. */
  private void suspend(ReplicaProcess replica, int atMillis, int millis) {
    at(
        atMillis,
        () -> {
          replica.clock.shift(-millis * MILLI);
          replica.pause(millis * MILLI, true);
        });
  }

  /** It starts where time is another one, and others tell it what it is here. */
  private void restartFarOff(ReplicaProcess replica, int atMillis) {
    int farMillis =
        (random.chance(50) ? 1 : -1) * random.between(FAR_OFF_MIN_MILLIS, FAR_OFF_MAX_MILLIS);
    at(
        atMillis,
        () -> {
          if (!suspendedAll
              && cluster.replicas().stream().anyMatch(other -> mayTellTheTime(other, replica))) {
            replica.crash();
            setFarAhead = true;
            cluster.trace(replica.name, "starts with a clock that is off by " + farMillis + " ms");
            replica.clock.farOff(farMillis * MILLI);
            replica.start();
          }
        });
  }

  /**
   * Its clock is set far ahead while it runs, and others can tell it so: most of them, or so much
   * time would pass for all that they forget each other.
   */
  private void leap(ReplicaProcess replica, int atMillis) {
    int farMillis = random.between(FAR_OFF_MIN_MILLIS, FAR_OFF_MAX_MILLIS);
    at(
        atMillis,
        () -> {
          if (replica.isActive()
              && (leapt.size() < (cluster.replicas().size() - 1) / 2
                  || leapt.contains(replica.index))
              && knowsOthers(replica)
              && !suspendedAll
              && cluster.replicas().stream().anyMatch(other -> mayTellTheTime(other, replica))) {
            setFarAhead = true;
            leapt.add(replica.index);
            cluster.trace(replica.name, "has a clock that leaps by " + farMillis + " ms");
            replica.clock.leap(farMillis * MILLI);
            cluster.history().leapt(farMillis);
          }
        });
  }

  /**
   * All are suspended, and go on one soon after the other, by clocks that did not stand still.
   * Once, for less than they wait for each other; and where a clock has been set, nobody could
   * tell.
   */
  private void suspendAll(int atMillis) {
    int millis = random.between(FAR_OFF_MIN_MILLIS, SUSPENDED_MAX_MILLIS);
    List<Integer> apartMillis = new ArrayList<>();
    for (int node = 0; node < cluster.nodes(); node++) {
      apartMillis.add(random.between(0, 200));
    }
    at(
        Math.max(atMillis, CLOCKS_SET_BY_MILLIS),
        () -> {
          if (!setFarAhead && !suspendedAll) {
            suspendedAll = true;
            cluster.trace("", "all are suspended for " + millis + " ms");
            for (int node = 0; node < cluster.nodes(); node++) {
              cluster.process(node).clock.shift(millis * MILLI);
              cluster.process(node).pause(apartMillis.get(node) * MILLI, true);
            }
          }
        });
  }

  private boolean knowsOthers(ReplicaProcess replica) {
    return !cluster.viewsChange() || replica.present().size() > 1;
  }

  private boolean mayTellTheTime(ReplicaProcess other, ReplicaProcess replica) {
    return other != replica
        && other.isActive()
        && !other.isStopped()
        && cluster.network().connects(other.index, replica.index)
        && cluster.network().connects(replica.index, other.index);
  }

  /** Half of all datagrams are lost for a while. */
  private void badSpell(int atMillis) {
    Network.Conditions usual = cluster.parameters().network();
    Network.Conditions bad =
        new Network.Conditions(
            50,
            usual.duplicatePercent(),
            usual.damagePercent(),
            usual.delayMinNanos(),
            usual.delayMeanNanos() * 4,
            usual.stragglerPercent(),
            usual.stragglerMaxNanos());
    at(atMillis, () -> cluster.network().conditions(bad));
    at(atMillis + durationMillis(), () -> cluster.network().conditions(usual));
  }
}
