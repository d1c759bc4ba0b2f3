package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Effect;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a service is told what came late: each time costs an execution of all that follows it. */
final class ReconciliationsTest {
  private final Window window =
      new Window(
          ServiceInstance.of(Ledger.class, LedgerService::new),
          100,
          ReplicaSettings.Memory.USUAL,
          epoch -> {});
  private final Reconciliations reconciliations = new Reconciliations(window);
  private int sequence;

  @Test
  void afterARoundWithoutMore() {
    assertThat(round(2)).isEmpty();
    assertThat(round(1)).isEmpty();
    assertThat(round(0)).containsExactly(3L);
    assertThat(round(0)).isEmpty();
    assertThat(round(4)).isEmpty();
    assertThat(round(0)).containsExactly(4L);
  }

  @Test
  void evenIfThereIsNoEndOfIt() {
    for (int round = 1; round < Reconciliations.ROUNDS_MAX; round++) {
      assertThat(round(1)).isEmpty();
    }
    assertThat(round(1)).containsExactly((long) Reconciliations.ROUNDS_MAX);
    assertThat(round(1)).isEmpty();
    assertThat(reconciliations.lateInAll()).isEqualTo(Reconciliations.ROUNDS_MAX + 1);
  }

  /** So many come late in a round; of how many the service is told at its end. */
  private List<Long> round(int late) {
    for (int i = 0; i < late; i++) {
      reconciliations.late(new RequestId(1, ++sequence));
    }
    List<Effect> effects = new ArrayList<>();
    reconciliations.endRound(effects);
    return effects.stream()
        .map(each -> ((Effect.Reconciled) each).what().inserted().count())
        .toList();
  }
}
