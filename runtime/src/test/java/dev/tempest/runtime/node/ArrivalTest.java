package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A large state takes as long as it takes. */
class ArrivalTest {
  private static final Duration PATIENCE = Duration.ofMillis(1);
  private static final int PIECES = 100;

  private Runnable meanwhile = () -> {};
  private final Arrival whole = new Arrival(this::look);
  private final Arrival part = whole.part();
  private boolean isLooking;
  private long nowNanos;
  private int pieces;

  /** From one look to the next the patience passes, and something may come. */
  private long look() {
    if (!isLooking) {
      isLooking = true;
      nowNanos += PATIENCE.toNanos();
      meanwhile.run();
      isLooking = false;
    }
    return nowNanos;
  }

  @Test
  void waitsAsLongAsMoreComes() throws Exception {
    meanwhile =
        () -> {
          part.cameOn();
          if (++pieces == PIECES) {
            whole.active().complete(true);
          }
        };

    assertThat(whole.await(PATIENCE)).isTrue();
    assertThat(pieces).isEqualTo(PIECES);
  }

  @Test
  void givesUpOnceNothingComes() {
    part.cameOn();
    part.hindered("the network is cut");

    assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> whole.await(PATIENCE));
    assertThat(whole.hindrance()).isEqualTo("the network is cut");
  }

  @Test
  void whatHinderedIsOverOnceMoreComes() {
    part.hindered("the network is cut");
    part.cameOn();

    assertThat(whole.hindrance()).isNull();
    assertThat(part.hindrance()).isNull();
  }
}
