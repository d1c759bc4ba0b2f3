package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.tempest.protocol.membership.MemberSettings;
import dev.tempest.simulator.MemberWorld.Discovery;
import dev.tempest.simulator.Violation.Kind;
import dev.tempest.wire.Message.MemberRecord;
import dev.tempest.wire.Message.MemberState;
import dev.tempest.wire.Message.Roster;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Processes find each other and agree on who is there, whatever goes wrong. */
class MembershipTest {
  private static final Network.Conditions PERFECT =
      new Network.Conditions(0, 0, 0, 500_000, 0, 0, 0);

  private static final MemberSettings USUAL = MemberSettings.of(List.of());

  /** Shorter memory, so that what takes minutes is part of more seeds. */
  private static final MemberSettings IMPATIENT =
      new MemberSettings(List.of(), 40, 250, 250, 1_000, 2_000, 8_000, 1_400);

  private static final MemberWorld.Hearing EVERYTHING = message -> message;
  private static final int SEEDS = 100;

  static LongStream firstSeeds() {
    return Seeds.first(SEEDS);
  }

  private static MemberWorld perfect(int size, Discovery discovery) {
    return new MemberWorld(1, size, discovery, PERFECT, USUAL, EVERYTHING);
  }

  private static Network.Conditions bad(Randomness random) {
    return new Network.Conditions(
        random.between(0, 30),
        random.between(0, 5),
        random.between(0, 2),
        random.between(20_000L, 2_000_000L),
        random.between(10_000L, 10_000_000L),
        random.chance(30) ? random.between(1, 5) : 0,
        10_000_000_000L);
  }

  @ParameterizedTest(name = "from seed {0}")
  @MethodSource("firstSeeds")
  void whoeverStartsTogetherEndsInOneCluster(long first) {
    Seeds.forEach(
        first,
        SEEDS,
        seed -> {
          Randomness random = new Randomness(seed);
          int size = random.between(2, 8);
          Discovery discovery = random.pick(List.of(Discovery.values()));
          MemberWorld world =
              new MemberWorld(seed, size, discovery, bad(random), USUAL, EVERYTHING);
          int spreadMillis = random.chance(50) ? 20 : 600;
          for (MemberProcess each : world.processes()) {
            world.at(random.between(0, spreadMillis) * MemberWorld.MILLI, each::start);
            if (random.chance(20)) {
              long pauseNanos = random.between(10, 1_500) * MemberWorld.MILLI;
              world.at(
                  random.between(0, 600) * MemberWorld.MILLI, () -> each.pause(pauseNanos, true));
            }
          }
          judged(
              seed,
              world,
              () -> {
                world.runMillis(2_200);
                world.demand(10_000, "one cluster", world::isOne);
              });
        });
  }

  @ParameterizedTest(name = "from seed {0}")
  @MethodSource("firstSeeds")
  void viewsAreRightWhateverGoesWrong(long first) {
    Seeds.forEach(first, SEEDS, seed -> burn(seed, EVERYTHING));
  }

  private static void burn(long seed, MemberWorld.Hearing hears) {
    Randomness random = new Randomness(seed);
    int size = random.between(2, 7);
    Discovery discovery = random.pick(List.of(Discovery.values()));
    MemberWorld world = new MemberWorld(seed, size, discovery, bad(random), IMPATIENT, hears);
    int loadMillis = random.between(5_000, 60_000);
    MemberFaults faults = new MemberFaults(world, loadMillis);
    faults.plan(random.between(1, 8));
    for (MemberProcess each : world.processes()) {
      world.at(random.between(0, 1_000) * MemberWorld.MILLI, each::start);
      int which = random.between(0, 7);
      world.at(random.between(0, loadMillis) * MemberWorld.MILLI, () -> each.host(which));
    }
    judged(
        seed,
        world,
        () -> {
          world.runMillis(loadMillis);
          faults.stop();
          world.heal();
        });
  }

  private static void judged(long seed, MemberWorld world, Runnable run) {
    try {
      run.run();
    } catch (Violation.Found found) {
      List<String> trace = world.traceTail();
      throw new Violation.Found(
          found.violation().kind(),
          "-Dseed=" + seed + ": " + found.getMessage() + "\n" + String.join("\n", trace),
          found);
    }
  }

  @Test
  void onAGoodNetworkOneFoundsAndTheOthersJoin() {
    for (long seed = 1; seed <= 100; seed++) {
      Randomness random = new Randomness(seed);
      int size = random.between(2, 8);
      MemberWorld world =
          new MemberWorld(seed, size, Discovery.MULTICAST, PERFECT, USUAL, EVERYTHING);
      for (MemberProcess each : world.processes()) {
        world.at(random.between(0, 200) * MemberWorld.MILLI, each::start);
      }
      world.runMillis(500);
      world.demand(10, "one cluster", world::isOne);
      assertThat(world.processes())
          .filteredOn(MemberProcess::founded)
          .as("seed " + seed)
          .hasSize(1);
    }
  }

  @Test
  void oneThatJoinsIsInAllViewsAtOnce() {
    MemberWorld world = perfect(8, Discovery.SEEDS);
    world.processes().subList(0, 7).forEach(MemberProcess::start);
    world.demand(2_000, "one cluster", world::isOne);
    world.runMillis(5_000);
    world.process(7).start();
    assertThat(world.demand(2_000, "one cluster", world::isOne)).isLessThan(10);
  }

  @Test
  void oneThatStartsWhileTheOnlyMemberIsBusyWaitsForIt() {
    for (Discovery discovery : List.of(Discovery.SEEDS, Discovery.ALL_ADDRESSES)) {
      MemberWorld world = perfect(3, discovery);
      world.process(0).start();
      world.demand(1_000, "one cluster", world::isOne);
      world.process(0).pause(10_000 * MemberWorld.MILLI, false);
      world.process(1).start();
      world.runMillis(20);
      world.process(2).start(); // They hear each other, and neither founds anything.
      world.runMillis(9_900);
      assertThat(world.process(1).isActive() || world.process(2).isActive()).isFalse();
      world.runMillis(200);
      assertThat(world.isOne()).isTrue();
      assertThat(world.processes()).filteredOn(MemberProcess::founded).hasSize(1);
    }
  }

  @Test
  void oneThatWaitsForABusyMemberFoundsAClusterOnceThatHasEnded() {
    MemberWorld world = perfect(2, Discovery.SEEDS);
    world.process(0).start();
    world.demand(1_000, "one cluster", world::isOne);
    world.process(0).pause(10_000 * MemberWorld.MILLI, true);
    world.process(1).start();
    world.runMillis(2_000);
    assertThat(world.process(1).isActive()).isFalse();
    world.process(0).crash();
    world.demand(50, "it founds a cluster", world.process(1)::founded);
  }

  @Test
  void oneThatLeavesIsInNoViewAtOnceAndOneThatEndsInTime() {
    MemberWorld world = perfect(6, Discovery.MULTICAST);
    world.processes().forEach(MemberProcess::start);
    world.demand(2_000, "one cluster", world::isOne);
    world.process(1).leave();
    world.demand(10, "one less", world::isOne);
    world.runMillis(15_000); // Whatever was on its way does not bring it back.
    assertThat(world.isOne()).isTrue();
    world.process(2).crash();
    world.demand(
        4_000,
        "nobody hears it any more",
        () ->
            world.processes().stream()
                .filter(MemberProcess::isMember)
                .allMatch(each -> each.alive().equals(world.ids())));
    assertThat(world.isOne()).isFalse();
    assertThat(world.demand(61_000, "another one less", world::isOne)).isGreaterThan(50_000);
    world.runMillis(100_000);
    assertThat(world.isOne()).isTrue();
  }

  @Test
  void oneThatStartsAgainAtItsAddressTakesThePlaceOfTheOldOneAtOnce() {
    MemberWorld world = perfect(5, Discovery.SEEDS);
    world.processes().forEach(MemberProcess::start);
    world.demand(2_000, "one cluster", world::isOne);
    world.runMillis(3_000);
    world.process(3).crash();
    world.process(3).start();
    world.demand(20, "the new one and not the old one", world::isOne);
  }

  @Test
  void oneThatWasStoppedForMinutesComesBackAndExpelsNobody() {
    MemberWorld world = perfect(4, Discovery.ALL_ADDRESSES);
    world.processes().forEach(MemberProcess::start);
    world.demand(2_000, "one cluster", world::isOne);
    MemberProcess stopped = world.process(2);
    Set<Long> before = Set.copyOf(stopped.view());
    stopped.pause(180_000 * MemberWorld.MILLI, true);
    world.runMillis(179_000);
    assertThat(world.process(0).view()).doesNotContain(stopped.id()).hasSize(3);
    world.runMillis(1_001);
    assertThat(stopped.view()).isEqualTo(before);
    world.demand(1_500, "all four", world::isOne);
    assertThat(stopped.alive()).isEqualTo(before);
  }

  @Test
  void twoSidesThatExpelledEachOtherBecomeOneAgain() {
    MemberWorld world = perfect(6, Discovery.SEEDS);
    world.processes().forEach(MemberProcess::start);
    world.demand(2_000, "one cluster", world::isOne);
    for (int one = 0; one < 3; one++) {
      for (int other = 3; other < 6; other++) {
        world.network().cut(one, other);
        world.network().cut(other, one);
      }
    }
    world.runMillis(70_000);
    assertThat(world.process(5).view()).hasSize(3);
    world.network().mendAll();
    world.demand(2_000, "one cluster", world::isOne);
  }

  @Test
  void nobodySendsMoreInALargerCluster() {
    long few = sentPerSecond(4);
    long many = sentPerSecond(64);
    assertThat(few).isBetween(8L, 12L);
    assertThat(many).isLessThanOrEqualTo(few);
  }

  private static long sentPerSecond(int size) {
    MemberWorld world = perfect(size, Discovery.MULTICAST);
    world.processes().forEach(MemberProcess::start);
    world.demand(2_000, "one cluster", world::isOne);
    world.runMillis(5_000);
    long before = world.processes().stream().mapToLong(MemberProcess::sent).sum();
    world.runMillis(10_000);
    long after = world.processes().stream().mapToLong(MemberProcess::sent).sum();
    return (after - before) / (10L * size);
  }

  @Test
  void nobodyIsTakenForSilentInALargeCluster() {
    MemberWorld world = perfect(100, Discovery.SEEDS);
    world.processes().forEach(MemberProcess::start);
    world.demand(10_000, "one cluster", world::isOne);
    for (int i = 0; i < 30; i++) {
      world.runMillis(100);
      for (MemberProcess each : world.processes()) {
        assertThat(each.alive()).hasSize(100);
      }
    }
  }

  // Canaries: machines that are broken on purpose have to be found.

  private static void isFound(Kind kind, MemberWorld.Hearing hears) {
    for (long seed = 1; seed <= 40; seed++) {
      try {
        burn(seed, hears);
      } catch (Violation.Found found) {
        assertThat(found.violation().kind()).isEqualTo(kind);
        return;
      }
    }
    fail("not found in 40 seeds");
  }

  @Test
  void membersThatDoNotUniteAreFound() {
    isFound(
        Kind.LOST,
        message ->
            message instanceof Roster roster && roster.sender().heartbeat() > 20 ? null : message);
  }

  @Test
  void membersThatKeepTheDeadAliveAreFound() {
    isFound(
        Kind.STUCK,
        message ->
            message instanceof Roster(MemberRecord sender, var others, var heartbeats)
                ? new Roster(sender, others.stream().map(MembershipTest::aged).toList(), heartbeats)
                : message);
  }

  private static MemberRecord aged(MemberRecord record) {
    return new MemberRecord(
        record.id(),
        record.state(),
        record.state() == MemberState.PRESENT ? record.heartbeat() + 1 : record.heartbeat(),
        record.hosting(),
        record.address(),
        record.name());
  }
}
