package dev.tempest.runtime.node;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Views;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.OrderPart;
import dev.tempest.wire.RequestId;
import org.junit.jupiter.api.Test;

final class UpdateBacklogTest {
  private static final PeerAddress CLIENT = PeerAddress.all("127.0.0.1:9").getFirst();

  private static final PeerAddress OTHER = PeerAddress.all("127.0.0.1:10").getFirst();

  private String full = "";
  private final UpdateBacklog updates = new UpdateBacklog(() -> full);

  @Test
  void theOldestComesFirst() {
    assertThat(updates.add(CLIENT, update(1, 0), 0)).isEmpty();
    assertThat(updates.add(CLIENT, update(2, 0), 0)).isEmpty();
    assertThat(next()).isEqualTo(1);
    assertThat(next()).isEqualTo(2);
    assertThat(updates.take()).isNull();
  }

  @Test
  void ofTooManyTheNewestIsRefused() {
    for (int sequence = 1; sequence <= UpdateBacklog.COUNT_MAX; sequence++) {
      assertThat(updates.add(CLIENT, update(sequence, 0), 0)).isEmpty();
    }
    assertThat(updates.add(CLIENT, update(UpdateBacklog.COUNT_MAX + 1, 0), 0)).isNotEmpty();
    assertThat(next()).isEqualTo(1);
    assertThat(updates.add(CLIENT, update(UpdateBacklog.COUNT_MAX + 1, 0), 0)).isEmpty();
  }

  @Test
  void ofTooLargeOnesTheNewestIsRefused() {
    int half = (int) UpdateBacklog.BYTES_MAX / 2 - UpdateBacklog.OVERHEAD_BYTES;
    assertThat(updates.add(CLIENT, update(1, half), 0)).isEmpty();
    assertThat(updates.add(CLIENT, update(2, half), 0)).isEmpty();
    assertThat(updates.add(CLIENT, update(3, 1), 0)).isNotEmpty();
    assertThat(next()).isEqualTo(1);
    assertThat(updates.add(CLIENT, update(3, half), 0)).isEmpty();
  }

  @Test
  void noneIsTakenOnceATurnHasLeftOneThatHadWaitedForLong() {
    long lateNanos = UpdateBacklog.WAIT_MAX_NANOS + 1;
    assertThat(updates.add(CLIENT, update(1, 0), 0)).isEmpty();
    updates.left(UpdateBacklog.WAIT_MAX_NANOS);
    assertThat(updates.add(CLIENT, update(2, 0), lateNanos))
        .as("this process stood still")
        .isEmpty();
    updates.left(lateNanos);
    assertThat(updates.add(CLIENT, update(3, 0), lateNanos)).isNotEmpty();

    assertThat(next()).isEqualTo(1);
    updates.left(lateNanos);
    assertThat(updates.add(CLIENT, update(3, 0), lateNanos)).isEmpty();
  }

  @Test
  void whoAsksAgainTakesThePlaceOfWhatWaits() {
    assertThat(updates.add(CLIENT, update(1, 0), 0)).isEmpty();
    assertThat(updates.add(CLIENT, update(2, 0), 0)).isEmpty();
    long lateNanos = 2 * UpdateBacklog.WAIT_MAX_NANOS;
    updates.left(lateNanos);
    assertThat(updates.add(CLIENT, update(1, 0).again(), lateNanos)).isEmpty();
    assertThat(updates.add(CLIENT, update(1, 0), lateNanos)).as("came late").isEmpty();
    assertThat(updates.add(CLIENT, update(3, 0), lateNanos)).as("the first waits").isNotEmpty();

    Waiting<Update> first = requireNonNull(updates.take());
    assertThat(first.request()).isEqualTo(update(1, 0).again());
    assertThat(first.sinceNanos()).isZero();
    assertThat(next()).isEqualTo(2);
    assertThat(updates.take()).isNull();
  }

  @Test
  void whoAsksForSomethingElseByTheSameNameDoesNot() {
    assertThat(updates.add(CLIENT, update(1, 0), 0)).isEmpty();
    int large = (int) UpdateBacklog.BYTES_MAX;
    assertThat(updates.add(CLIENT, update(1, large).again(), 0)).isEmpty();
    assertThat(updates.add(OTHER, update(1, 0).again(), 0)).isEmpty();
    assertThat(requireNonNull(updates.take()).request())
        .as("and it is answered with what that comes to")
        .isEqualTo(update(1, 0).again());
    assertThat(requireNonNull(updates.take()).from()).as("both are answered").isEqualTo(OTHER);
    assertThat(updates.take()).isNull();
  }

  @Test
  void whatWaitsCountsOnceHoweverOftenItIsAskedFor() {
    int whole = (int) UpdateBacklog.BYTES_MAX - UpdateBacklog.OVERHEAD_BYTES;
    Update large = update(1, whole);
    assertThat(updates.add(CLIENT, large, 0)).isEmpty();
    assertThat(updates.add(CLIENT, large.again(), 0)).isEmpty();
    assertThat(next()).isEqualTo(1);
    assertThat(updates.add(CLIENT, update(2, 0), 0)).isEmpty();
    assertThat(updates.add(CLIENT, update(3, whole / 2), 0))
        .as("nothing waits of the first")
        .isEmpty();
  }

  /** Else one would hear that it is not executed, and then it is. */
  @Test
  void whoAsksAgainIsNotRefusedOnceTheHeapIsFull() {
    assertThat(updates.add(CLIENT, update(1, 0), 0)).isEmpty();
    full = "the heap is full";

    assertThat(updates.add(CLIENT, update(2, 0), 0)).isEqualTo(full);
    assertThat(updates.add(CLIENT, update(1, 0).again(), 0)).isEmpty();
    assertThat(next()).isEqualTo(1);
    full = "";
    assertThat(updates.add(CLIENT, update(2, 0), 0)).isEmpty();
  }

  /** Else nobody would answer what is kept by a primary once that ends. */
  @Test
  void theViewServiceIsAskedAllTheSame() {
    full = "the heap is full";
    assertThat(updates.add(CLIENT, update(Views.SERVICE, 1, 0), 0)).isEmpty();
  }

  private long next() {
    Waiting<Update> next = updates.take();
    return next == null ? 0 : next.request().id().sequence();
  }

  private static Update update(long sequence, int size) {
    return update(5, sequence, size);
  }

  private static Update update(long service, long sequence, int size) {
    Call call = new Call(0, Bytes.of(new byte[size]));
    return new Update(service, new RequestId(6, sequence), OrderPart.NONE, call, 0, 1, 1);
  }
}
