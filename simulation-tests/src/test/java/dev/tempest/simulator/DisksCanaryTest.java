package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.protocol.order.time.ReplicaByTime;
import dev.tempest.protocol.order.time.ReplicaSettings;
import dev.tempest.protocol.order.time.RestoredByTime;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.simulator.ReplicaMachine.Production;
import dev.tempest.simulator.Violation.Kind;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** For each promise about checkpoints a replica that breaks it. */
class DisksCanaryTest {
  private static final int WORLDS = 6;

  /** Writes what it had the first time, again and again. */
  private static final class WritesTheOld extends Tampered {
    private @Nullable Checkpoint first;

    WritesTheOld(ReplicaMachine real) {
      super(real);
    }

    @Override
    public @Nullable Checkpoint checkpoint() {
      Checkpoint kept = first == null ? real.checkpoint() : first;
      first = kept;
      return kept;
    }
  }

  /** Replicas with disks, of which somebody makes others, and may not give them what was read. */
  private record WithDisks(boolean gives, UnaryOperator<ReplicaMachine> tamper)
      implements ReplicaMachine.Factory {
    @Override
    public ReplicaMachine create(
        ReplicaSettings settings, ServiceInstance service, long seed, long nowNanos) {
      return create(settings, service, null, seed, nowNanos);
    }

    @Override
    public ReplicaMachine create(
        ReplicaSettings settings,
        ServiceInstance service,
        @Nullable RestoredByTime restored,
        long seed,
        long nowNanos) {
      RestoredByTime given = gives ? restored : null;
      return tamper.apply(
          new Production(new ReplicaByTime(settings, service, given, seed, nowNanos)));
    }

    @Override
    public boolean comesBack() {
      return true;
    }
  }

  private static Set<Kind> found(LongFunction<World> worlds, WithDisks replicas) {
    Set<Kind> kinds = new TreeSet<>();
    for (long i = 1; i <= WORLDS; i++) {
      World world =
          worlds
              .apply(i * World.CHECKPOINTS_EVERY)
              .scenario(Scenario.CRASH_ALL)
              .operations(15, 25)
              .machines(new Cluster.Machines(replicas, FrontEndMachine::production));
      if (Simulation.run(world) instanceof Report.Failed failed) {
        failed.violations().forEach(violation -> kinds.add(violation.kind()));
      }
    }
    return kinds;
  }

  private static LongFunction<World> worlds(Subject subject) {
    return subject == Subject.COLLECTIONS ? World::ofCollections : World::of;
  }

  @ParameterizedTest
  @EnumSource(names = {"SERVICE", "COLLECTIONS"})
  void nothingIsFoundWhereNobodyTampers(Subject subject) {
    assertThat(found(worlds(subject), new WithDisks(true, real -> real))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"SERVICE", "COLLECTIONS"})
  void aReplicaThatComesBackWithoutWhatItHasReadIsFound(Subject subject) {
    assertThat(found(worlds(subject), new WithDisks(false, real -> real))).contains(Kind.LOST);
  }

  @ParameterizedTest
  @EnumSource(names = {"SERVICE", "COLLECTIONS"})
  void aCheckpointOfAnEarlierMomentIsFound(Subject subject) {
    assertThat(found(worlds(subject), new WithDisks(true, WritesTheOld::new))).contains(Kind.LOST);
  }

  /** Else a crash would excuse that it is missing although the disk has kept it. */
  @Test
  void whoComesBackWithWhatItWroteIsOneOfThoseWhoHaveIt() {
    int again = 0;
    for (long i = 1; i <= WORLDS; i++) {
      World world =
          World.ofCollections(i * World.CHECKPOINTS_EVERY)
              .scenario(Scenario.CRASH_ALL)
              .operations(15, 25);
      world.load();
      world.heal();
      for (Set<Incarnation> holders : world.evidence().writes().values()) {
        long processes = holders.stream().map(Incarnation::node).distinct().count();
        again += processes < holders.size() ? 1 : 0;
      }
    }
    assertThat(again).isGreaterThan(WORLDS);
  }
}
