package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.simulator.Violation.Kind;
import dev.tempest.wire.Message;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A replica that breaks the promise of little gossip; what a digest has does not grow by layout.
 */
class GossipCanaryTest {
  /** Sends each of its digests again and again. */
  private static final class Chatters extends Tampered {
    private static final int TIMES = 20;

    private Effect.@Nullable Send digest;
    private int times;

    Chatters(ReplicaMachine real) {
      super(real);
    }

    @Override
    public List<Effect> step(Event event) {
      List<Effect> effects = new ArrayList<>(real.step(event));
      for (Effect effect : effects) {
        if (effect instanceof Effect.Send send && send.message() instanceof Message.Digest) {
          digest = send;
          times = 1;
        }
      }
      if (digest != null && effects.isEmpty() && ++times <= TIMES) {
        effects.add(digest);
      }
      return effects;
    }
  }

  @Test
  void aReplicaThatGossipsAllTheTimeIsFound() {
    assertThat(
            CanaryTest.foundWith((settings, service, seed, nowNanos) ->
                new Chatters(ReplicaMachine.production(settings, service, seed, nowNanos))))
        .contains(Kind.GOSSIP);
  }
}
