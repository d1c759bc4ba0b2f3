package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.service.execution.Execution;
import dev.tempest.service.execution.Result;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Footprint;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import dev.tempest.wire.Entry;
import dev.tempest.wire.RequestId;
import org.junit.jupiter.api.Test;

/** A replica refuses updates before what waits fills its memory, so all of that has to count. */
final class LogEntryTest {
  private final Version version = ServiceInstance.of(Cart.class, CartService::new).emptyVersion();
  private final LogEntry entry =
      new LogEntry(new Entry(new RequestId(1, 1), 1, new Call(1, Bytes.EMPTY)));

  @Test
  void whatAnExecutionAnsweredAndWroteTakesRoom() {
    long before = entry.sizeBytes();
    assertThat(entry.ran(execution(100_000, 20_000))).isEqualTo(120_000);
    assertThat(entry.sizeBytes()).isEqualTo(before + 120_000);
  }

  @Test
  void onlyTheLatestExecutionDoes() {
    long before = entry.sizeBytes();
    entry.ran(execution(100_000, 20_000));
    assertThat(entry.ran(execution(10, 5))).isEqualTo(15 - 120_000);
    assertThat(entry.sizeBytes()).isEqualTo(before + 15);
  }

  private Execution execution(int answerBytes, long writtenBytes) {
    Result result = new Result.Returned(Bytes.of(new byte[answerBytes], 0, answerBytes));
    return new Execution(version, result, Footprint.NONE, writtenBytes);
  }
}
