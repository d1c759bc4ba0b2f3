package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.time.ReplicaSettings;
import dev.tempest.simulator.Violation.Kind;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.Message;
import dev.tempest.wire.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** For every promise to those who write by themselves a machine that breaks it. */
class CollectionsCanaryTest {
  private static final int SEEDS = 6;

  /** Worlds that are stuck take long, until it is clear that they are. */
  private static final int STUCK_SEEDS = 2;

  /** Forgets some of what its process writes. */
  private static final class Forgets extends Tampered {
    private int writes;

    Forgets(ReplicaMachine real) {
      super(real);
    }

    @Override
    public List<Effect> step(Event event) {
      return event instanceof Event.Written && ++writes % 5 == 0 ? List.of() : real.step(event);
    }
  }

  /** Takes some writes twice. */
  private static final class WritesTwice extends Tampered {
    private int writes;

    WritesTwice(ReplicaMachine real) {
      super(real);
    }

    @Override
    public List<Effect> step(Event event) {
      if (event instanceof Event.Written && ++writes % 5 == 0) {
        real.step(event);
      }
      return real.step(event);
    }
  }

  /** Shows what was before the latest steps. */
  private static final class ShowsTheOld extends Tampered {
    private final List<Version> seen = new ArrayList<>();

    ShowsTheOld(ReplicaMachine real) {
      super(real);
    }

    @Override
    public Version version() {
      seen.add(real.version());
      return seen.get(Math.max(0, seen.size() - 5));
    }
  }

  /** Goes back to what had settled long ago, as if it took that from another one. */
  private static final class GoesBack extends Tampered {
    private final List<Version> bases = new ArrayList<>();
    private long taken;

    GoesBack(ReplicaMachine real) {
      super(real);
    }

    @Override
    public long taken() {
      return real.taken() + ++taken;
    }

    @Override
    public Version base() {
      bases.add(real.base());
      return old(real.base());
    }

    @Override
    public Version version() {
      return old(real.version());
    }

    private Version old(Version now) {
      boolean mayGo = real.unsettled().isEmpty() && !bases.isEmpty();
      return mayGo ? bases.get(bases.size() / 2) : now;
    }
  }

  /** Throws away what comes of one kind. */
  private static final class Deaf extends Tampered {
    private final Class<? extends Message> kind;

    Deaf(ReplicaMachine real, Class<? extends Message> kind) {
      super(real);
      this.kind = kind;
    }

    @Override
    public List<Effect> step(Event event) {
      return event instanceof Event.Received(long now, var from, Message message)
              && kind.isInstance(message)
          ? List.of()
          : real.step(event);
    }
  }

  /** Says that it has whatever others wait for it to have. */
  private static final class SaysYes extends Tampered {
    private final long self;

    SaysYes(ReplicaMachine real, ReplicaSettings settings) {
      super(real);
      self = settings.self();
    }

    @Override
    public List<Effect> step(Event event) {
      List<Effect> effects = new ArrayList<>(real.step(event));
      if (event instanceof Event.Received(long now, var from, Message.AckRequest request)
          && real.isActive()) {
        effects.add(new Effect.Send(from, new Message.Ack(request.service(), self, request.ids())));
      }
      return effects;
    }
  }

  /** Waits for one replica less. */
  private static final class WaitsForFewer extends Tampered {
    WaitsForFewer(ReplicaMachine real) {
      super(real);
    }

    @Override
    public List<Effect> step(Event event) {
      return real.step(
          event instanceof Event.AwaitAcks(long now, long ticket, int acks) && acks > 2
              ? new Event.AwaitAcks(now, ticket, acks - 1)
              : event);
    }
  }

  /** Says of whatever others have seen that it has, or has not. */
  private static final class Sees extends Tampered {
    private final boolean all;

    Sees(ReplicaMachine real, boolean all) {
      super(real);
      this.all = all;
    }

    @Override
    public boolean hasSeen(Seen seen) {
      return all;
    }
  }

  /** Never says that others are too far behind. */
  private static final class NeverWaits extends Tampered {
    NeverWaits(ReplicaMachine real) {
      super(real);
    }

    @Override
    public boolean isAhead() {
      return false;
    }
  }

  private static Set<Kind> found(UnaryOperator<ReplicaMachine> tamper) {
    return found((real, settings) -> tamper.apply(real));
  }

  private static Set<Kind> foundInFew(UnaryOperator<ReplicaMachine> tamper) {
    return found(STUCK_SEEDS, (real, settings) -> tamper.apply(real));
  }

  private static Set<Kind> found(
      BiFunction<ReplicaMachine, ReplicaSettings, ReplicaMachine> tamper) {
    return found(SEEDS, tamper);
  }

  private static Set<Kind> found(
      int seeds, BiFunction<ReplicaMachine, ReplicaSettings, ReplicaMachine> tamper) {
    Set<Kind> kinds = new TreeSet<>();
    for (long seed = 1; seed <= seeds; seed++) {
      World world =
          World.ofCollections(seed)
              .scenario(Scenario.LOSS)
              .operations(15, 25)
              .reunionMillis(Parameters.LONG_REUNION_MILLIS)
              .unsettledMaxKilobytes(1 << 20, 1 << 20)
              .machines(
                  new Cluster.Machines(
                      (settings, service, machineSeed, nowNanos) ->
                          tamper.apply(
                              ReplicaMachine.production(settings, service, machineSeed, nowNanos),
                              settings),
                      FrontEndMachine::production));
      if (Simulation.run(world) instanceof Report.Failed failed) {
        failed.violations().forEach(violation -> kinds.add(violation.kind()));
      }
    }
    return kinds;
  }

  @Test
  void nothingIsFoundWhereNobodyTampers() {
    assertThat(found(real -> real)).isEmpty();
  }

  @Test
  void aWriteThatIsForgottenIsFoundLost() {
    assertThat(found(Forgets::new)).contains(Kind.LOST);
  }

  @Test
  void aWriteThatCountsTwiceIsFound() {
    assertThat(found(WritesTwice::new)).contains(Kind.NOT_ONCE);
  }

  /** Though what a write counted may be all that is left of it there. */
  @Test
  void soItIsWhereSomeSettleApartAndLoseTheirMemory() {
    int apart = 0;
    int found = 0;
    for (long seed = 1; seed <= 60 && apart < 4; seed++) {
      World world =
          World.ofCollections(seed)
              .operations(15, 25)
              .machines(
                  new Cluster.Machines(
                      (settings, service, machineSeed, nowNanos) ->
                          new WritesTwice(
                              ReplicaMachine.production(settings, service, machineSeed, nowNanos)),
                      FrontEndMachine::production));
      try {
        world.load();
        world.heal();
      } catch (Violation.Found other) {
        continue; // Another checker sees it sooner.
      }
      Evidence evidence = world.evidence();
      if (evidence.settledApart() && !evidence.memoryWasKept() && !evidence.littleMemory()) {
        apart++;
        boolean twice =
            new WritesSurvive()
                .check(evidence).stream().anyMatch(each -> each.kind() == Kind.NOT_ONCE);
        found += twice ? 1 : 0;
      }
    }
    assertThat(apart).isGreaterThan(1);
    assertThat(found).isGreaterThan(apart / 2);
  }

  @Test
  void aStateThatIsNotThatOfTheEntriesIsFound() {
    assertThat(found(ShowsTheOld::new)).contains(Kind.OUT_OF_ORDER);
  }

  @Test
  void whatWasRemovedEverywhereAndIsThereAgainIsFound() {
    assertThat(found(GoesBack::new)).contains(Kind.CAME_BACK);
  }

  @Test
  void aReplicaThatIgnoresWhatComesIsFoundStuck() {
    assertThat(foundInFew(real -> new Deaf(real, Message.Repair.class))).contains(Kind.STUCK);
  }

  @Test
  void aReplicaThatSaysThatItHasWhatItLacksIsFound() {
    assertThat(found(SaysYes::new)).contains(Kind.WRONG_OUTCOME);
  }

  @Test
  void aReplicaThatNeverSaysWhatItHasIsFoundStuck() {
    assertThat(foundInFew(real -> new Deaf(real, Message.AckRequest.class)))
        .containsExactly(Kind.STUCK);
  }

  @Test
  void aReplicaThatWaitsForFewerThanItIsToldIsFound() {
    assertThat(found(WaitsForFewer::new)).contains(Kind.WRONG_OUTCOME);
  }

  @Test
  void aWriterThatNeverWaitsIsFound() {
    assertThat(found(NeverWaits::new)).contains(Kind.TOO_FAR_BEHIND);
  }

  @Test
  void aReplicaThatSaysThatItHasSeenWhatItLacksIsFound() {
    assertThat(found(real -> new Sees(real, true))).containsExactly(Kind.UNSEEN);
  }

  @Test
  void aReplicaThatNeverSaysThatItHasSeenWhatOthersHaveIsFoundStuck() {
    assertThat(foundInFew(real -> new Sees(real, false))).containsExactly(Kind.STUCK);
  }

  /** Otherwise the tests of exactness would show nothing. */
  @Test
  void manyWorldsStayExactAndManyGrowApart() {
    int exact = 0;
    int apart = 0;
    for (long seed = 1; seed <= 120 && (exact <= 5 || apart <= 1); seed++) {
      World world = World.ofCollections(seed).operations(5, 10);
      world.load();
      world.heal();
      Evidence evidence = world.evidence();
      exact += evidence.apart() ? 0 : 1;
      apart += evidence.settledApart() ? 1 : 0;
    }
    assertThat(exact).isGreaterThan(5);
    assertThat(apart).isGreaterThan(1);
  }
}
