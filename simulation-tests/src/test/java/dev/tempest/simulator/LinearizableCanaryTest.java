package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Effect.Decided;
import dev.tempest.protocol.Effect.Decision;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Replica;
import dev.tempest.simulator.Violation.Kind;
import dev.tempest.state.versioned.Version;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** For each promise about linearizable collections a replica that breaks it. */
class LinearizableCanaryTest {
  private static final int WORLDS = 3;

  /** Says that something was decided in another way. */
  private static final class DecidesOtherwise extends TamperedByConsensus {
    private final Decision before;
    private final Decision after;

    DecidesOtherwise(Replica real, Decision before, Decision after) {
      super(real);
      this.before = before;
      this.after = after;
    }

    @Override
    public List<Effect> step(Event event) {
      return super.step(event).stream().map(this::otherwise).toList();
    }

    private Effect otherwise(Effect effect) {
      return effect instanceof Decided(long ticket, var decision, var why) && decision == before
          ? new Decided(ticket, after, why)
          : effect;
    }
  }

  /** Lets whoever reads read what is here. */
  private static final class ReadsAtOnce extends TamperedByConsensus {
    ReadsAtOnce(Replica real) {
      super(real);
    }

    @Override
    public List<Effect> step(Event event) {
      return event instanceof Event.Looks(long now, long ticket)
          ? List.of(new Decided(ticket, Decision.COUNTS, ""))
          : super.step(event);
    }
  }

  /** Says that what was written counts, and tells nobody of it. */
  private static final class DropsWhatIsWritten extends TamperedByConsensus {
    DropsWhatIsWritten(Replica real) {
      super(real);
    }

    @Override
    public List<Effect> step(Event event) {
      return event instanceof Event.Acted acted
          ? List.of(new Decided(acted.ticket(), Decision.COUNTS, ""))
          : super.step(event);
    }
  }

  /** Shows what it had at first. */
  private static final class StandsStill extends TamperedByConsensus {
    private @Nullable Version first;

    StandsStill(Replica real) {
      super(real);
    }

    @Override
    public Version version() {
      Version kept = first == null ? super.version() : first;
      first = kept;
      return kept;
    }
  }

  /** Tells nobody what is known. */
  private static final class IsSilent extends TamperedByConsensus {
    IsSilent(Replica real) {
      super(real);
    }

    @Override
    public List<Effect> step(Event event) {
      return super.step(event).stream().filter(effect -> !(effect instanceof Decided)).toList();
    }
  }

  /** Wants to be woken at once, always. */
  private static final class NeverRests extends TamperedByConsensus {
    NeverRests(Replica real) {
      super(real);
    }

    @Override
    public long nextTickNanos() {
      return 0;
    }
  }

  private static Set<Kind> found(UnaryOperator<Replica> tampering) {
    Set<Kind> kinds = new TreeSet<>();
    for (long seed = 1; seed <= WORLDS; seed++) {
      if (new LinearizableWorld(seed, tampering, null).run() instanceof Report.Failed failed) {
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
  void aReadThatWaitsForNobodyIsFound() {
    assertThat(found(ReadsAtOnce::new)).contains(Kind.OUT_OF_ORDER);
  }

  @Test
  void whatIsHandedOutTwiceIsFound() {
    assertThat(found(real -> new DecidesOtherwise(real, Decision.AGAIN, Decision.COUNTS)))
        .contains(Kind.NOT_ONCE);
  }

  @Test
  void whatIsAcknowledgedAndLostIsFound() {
    assertThat(found(DropsWhatIsWritten::new)).contains(Kind.LOST);
  }

  @Test
  void aReplicaThatStaysBehindIsFound() {
    assertThat(found(StandsStill::new)).contains(Kind.DIVERGED);
  }

  @Test
  void threadsThatAreNeverAnsweredAreFound() {
    assertThat(found(real -> new DecidesOtherwise(real, Decision.COUNTS, Decision.FAILED)))
        .contains(Kind.STUCK);
  }

  @Test
  void whoIsNotToldAtTheEndOfAWaitIsFound() {
    assertThat(found(IsSilent::new)).contains(Kind.WRONG_OUTCOME);
  }

  @Test
  void aReplicaThatIsAwakeForNothingIsFound() {
    assertThat(found(NeverRests::new)).contains(Kind.STUCK);
  }
}
