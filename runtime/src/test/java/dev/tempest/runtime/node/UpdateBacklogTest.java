package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import org.junit.jupiter.api.Test;

final class UpdateBacklogTest {
  private static final PeerAddress CLIENT = PeerAddress.all("127.0.0.1:9").getFirst();

  private final UpdateBacklog updates = new UpdateBacklog();

  @Test
  void theOldestComesFirst() {
    assertThat(updates.add(CLIENT, update(1, 0), 0)).isTrue();
    assertThat(updates.add(CLIENT, update(2, 0), 0)).isTrue();
    assertThat(next()).isEqualTo(1);
    assertThat(next()).isEqualTo(2);
    assertThat(updates.take()).isNull();
  }

  @Test
  void ofTooManyTheNewestIsRefused() {
    for (int sequence = 1; sequence <= UpdateBacklog.COUNT_MAX; sequence++) {
      assertThat(updates.add(CLIENT, update(sequence, 0), 0)).isTrue();
    }
    assertThat(updates.add(CLIENT, update(10_000, 0), 0)).isFalse();
    assertThat(next()).isEqualTo(1);
    assertThat(updates.add(CLIENT, update(10_000, 0), 0)).isTrue();
  }

  @Test
  void ofTooLargeOnesTheNewestIsRefused() {
    int half = (int) UpdateBacklog.BYTES_MAX / 2 - UpdateBacklog.OVERHEAD_BYTES;
    assertThat(updates.add(CLIENT, update(1, half), 0)).isTrue();
    assertThat(updates.add(CLIENT, update(2, half), 0)).isTrue();
    assertThat(updates.add(CLIENT, update(3, 1), 0)).isFalse();
    assertThat(next()).isEqualTo(1);
    assertThat(updates.add(CLIENT, update(3, half), 0)).isTrue();
  }

  @Test
  void noneIsTakenWhileTheOldestHasWaitedForLong() {
    assertThat(updates.add(CLIENT, update(1, 0), 0)).isTrue();
    assertThat(updates.add(CLIENT, update(2, 0), UpdateBacklog.WAIT_MAX_NANOS)).isTrue();
    assertThat(updates.add(CLIENT, update(3, 0), UpdateBacklog.WAIT_MAX_NANOS + 1)).isFalse();
    assertThat(next()).isEqualTo(1);
    assertThat(updates.add(CLIENT, update(3, 0), UpdateBacklog.WAIT_MAX_NANOS + 1)).isTrue();
  }

  private long next() {
    UpdateBacklog.Waiting next = updates.take();
    return next == null ? 0 : next.update().id().sequence();
  }

  private static Update update(long sequence, int size) {
    Call call = new Call(0, Bytes.of(new byte[size]));
    return new Update(5, new RequestId(6, sequence), OrderPart.NONE, call, 0, 1, 1);
  }
}
