package dev.tempest.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.runtime.FreePorts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each in one process: when a change is carried, the backup has it. */
@Timeout(60)
class StateCarrierTest {
  @Test
  void byACall() throws Exception {
    int port = FreePorts.find(1).getFirst();
    var backup = new HttpBackup(port, 0).start();
    StateCarrier.Opened call = new StateCarrier.Call(port).open();
    call.carry(new byte[10]);
    assertThat(backup.answer("")).isEqualTo("10 B");
    call.carry(new byte[100_000]);
    assertThat(backup.answer("")).isEqualTo("100000 B");
  }

  @Test
  void byNotifications() throws Exception {
    List<Integer> ports = FreePorts.find(4);
    var backup = new HttpBackup(ports.get(2), ports.get(1)).start();
    var topics =
        List.of(
            new HttpBroker.Topic(ports.get(0), ports.get(2)),
            new HttpBroker.Topic(ports.get(1), ports.get(3)));
    var _ = new HttpBroker(topics).start();
    StateCarrier.Opened published =
        new StateCarrier.Notification(ports.get(0), ports.get(3)).open();
    for (int bytes : List.of(10, 100_000, 7)) {
      published.carry(new byte[bytes]);
      assertThat(backup.answer("")).isEqualTo(bytes + " B");
    }
  }
}
