package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.ClientTable;
import dev.tempest.service.ServiceInstance;
import dev.tempest.wire.Message.Prefix;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AgreementTest {
  private static final long CLOSED_THROUGH = 10;

  private final ServiceInstance service = ServiceInstance.of(Ledger.class, LedgerService::new);
  private final Agreement agreement = new Agreement(List.of(2L, 3L));
  private final Window window = new Window(service, 100, agreement::changed);

  @Test
  void settlesWhatAllOthersAgreeOnAndThisOneHasClosed() {
    agreement.compare(2, window.through(7), window);
    assertThat(agreement.settles(CLOSED_THROUGH)).isEqualTo(-1);
    agreement.compare(3, window.through(6), window);
    assertThat(agreement.settles(CLOSED_THROUGH)).isEqualTo(6);
    assertThat(agreement.settles(4)).isEqualTo(4);
  }

  @Test
  void anotherSumIsNoAgreement() {
    agreement.compare(2, window.through(7), window);
    agreement.compare(3, new Prefix(7, 1, 99), window);
    assertThat(agreement.settles(CLOSED_THROUGH)).isEqualTo(-1);
  }

  @Test
  void aChangeTakesBackEveryAgreementThroughIt() {
    agreement.compare(2, window.through(9), window);
    agreement.compare(3, window.through(8), window);
    agreement.changed(9);
    assertThat(agreement.settles(CLOSED_THROUGH)).isEqualTo(8);
    agreement.changed(5);
    assertThat(agreement.settles(CLOSED_THROUGH)).isEqualTo(4);
    agreement.compare(2, window.through(9), window);
    assertThat(agreement.settles(CLOSED_THROUGH)).isEqualTo(4);
  }

  @Test
  void anotherStateEndsAllAgreements() {
    agreement.compare(2, window.through(9), window);
    agreement.compare(3, window.through(9), window);
    window.restart(window.base(), new Prefix(3, 1, 99), List.of(), new ClientTable());
    assertThat(agreement.settles(CLOSED_THROUGH)).isEqualTo(-1);
  }
}
