package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Applied;
import dev.tempest.protocol.order.ClientTable;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.wire.Message.Prefix;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StabilityTest {
  private static final long CLOSED_THROUGH = 10;

  private final ServiceInstance service = ServiceInstance.of(Ledger.class, LedgerService::new);
  private final Stability stability = new Stability(List.of(2L, 3L));
  private final Window window =
      new Window(service, 100, ReplicaSettings.Memory.USUAL, stability::changed);

  @Test
  void settlesWhatAllOthersAgreeOnAndThisOneHasClosed() {
    stability.compare(2, window.through(7), window);
    assertThat(stability.settles(CLOSED_THROUGH)).isEqualTo(-1);
    stability.compare(3, window.through(6), window);
    assertThat(stability.settles(CLOSED_THROUGH)).isEqualTo(6);
    assertThat(stability.settles(4)).isEqualTo(4);
  }

  @Test
  void anotherSumIsNoAgreement() {
    stability.compare(2, window.through(7), window);
    stability.compare(3, new Prefix(7, 1, 99), window);
    assertThat(stability.settles(CLOSED_THROUGH)).isEqualTo(-1);
  }

  @Test
  void aChangeTakesBackEveryAgreementThroughIt() {
    stability.compare(2, window.through(9), window);
    stability.compare(3, window.through(8), window);
    stability.changed(9);
    assertThat(stability.settles(CLOSED_THROUGH)).isEqualTo(8);
    stability.changed(5);
    assertThat(stability.settles(CLOSED_THROUGH)).isEqualTo(4);
    stability.compare(2, window.through(9), window);
    assertThat(stability.settles(CLOSED_THROUGH)).isEqualTo(4);
  }

  /** It may have taken something from others meanwhile. */
  @Test
  void whoComesBackHasToAgreeAnew() {
    stability.compare(2, window.through(9), window);
    stability.compare(3, window.through(5), window);
    stability.viewChanged(List.of(2L), Long.MAX_VALUE);
    stability.viewChanged(List.of(2L, 3L), Long.MAX_VALUE);
    assertThat(stability.settles(CLOSED_THROUGH)).isEqualTo(-1);
    stability.compare(3, window.through(6), window);
    assertThat(stability.settles(CLOSED_THROUGH)).isEqualTo(6);
  }

  @Test
  void whoHasLeftIsWaitedForUntilItHasEndedOrTimeIsOver() {
    stability.compare(2, window.through(9), window);
    stability.compare(3, window.through(5), window);
    stability.viewChanged(List.of(2L), 1_000);
    assertThat(stability.settles(CLOSED_THROUGH)).isEqualTo(-1);
    stability.release(999, false);
    assertThat(stability.settles(CLOSED_THROUGH)).isEqualTo(-1);
    stability.release(1_000, false);
    assertThat(stability.settles(CLOSED_THROUGH)).isEqualTo(9);
    stability.viewChanged(List.of(), 2_000);
    assertThat(stability.isAlone()).isFalse();
    stability.ended(List.of(2L));
    assertThat(stability.isAlone()).isTrue();
    assertThat(stability.settles(CLOSED_THROUGH)).isEqualTo(CLOSED_THROUGH);
    stability.checkInvariants();
  }

  @Test
  void anotherStateEndsAllAgreements() {
    stability.compare(2, window.through(9), window);
    stability.compare(3, window.through(9), window);
    Applied other = new Applied(window.base(), ClientTable.EMPTY);
    window.restart(other, new Prefix(3, 1, 99), List.of());
    assertThat(stability.settles(CLOSED_THROUGH)).isEqualTo(-1);
  }
}
