package dev.tempest.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.time.Stamp;
import dev.tempest.values.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.RequestId;
import org.junit.jupiter.api.Test;

final class ClientTableTest {
  private static final long CLIENT = 5;
  private static final Answer ANSWER = new Answer.Returned(Bytes.of((byte) 1));

  private final ClientTable table = new ClientTable();

  @Test
  void remembersWhatSettled() {
    table.settle(id(1), Stamp.atNanos(0), ANSWER);
    table.settle(id(3), Stamp.atNanos(0), ANSWER);
    assertThat(table.contains(id(1))).isTrue();
    assertThat(table.contains(id(2))).isFalse();
    assertThat(table.contains(new RequestId(6, 1))).isFalse();
    assertThat(table.answer(id(3))).isEqualTo(ANSWER);
  }

  @Test
  void dropsAnswersThatTheClientHasButNotThatTheyRan() {
    table.settle(id(1), Stamp.atNanos(0), ANSWER);
    table.settle(id(2), Stamp.atNanos(0), ANSWER);
    table.answered(CLIENT, 2);
    assertThat(table.answer(id(1))).isNull();
    assertThat(table.answer(id(2))).isEqualTo(ANSWER);
    assertThat(table.contains(id(1))).isTrue();
  }

  @Test
  void keepsABoundedNumberOfAnswers() {
    for (long sequence = 1; sequence <= 3 * ClientTable.ANSWERS_MAX; sequence++) {
      table.settle(id(sequence), Stamp.atNanos(0), ANSWER);
    }
    assertThat(table.records().getFirst().results()).hasSize(ClientTable.ANSWERS_MAX);
    assertThat(table.answer(id(3 * ClientTable.ANSWERS_MAX))).isEqualTo(ANSWER);
    assertThat(table.records().getFirst().applied().intervals()).isEqualTo(1);
  }

  @Test
  void forgetsClientsThatAreSilentForLong() {
    long millis = 1_700_000_000_000L;
    table.settle(id(1), millis << 16, ANSWER);
    table.forget(millis + ClientTable.RETENTION_MILLIS);
    assertThat(table.contains(id(1))).isTrue();
    table.forget(millis + ClientTable.RETENTION_MILLIS + 1);
    assertThat(table.contains(id(1))).isFalse();
  }

  @Test
  void comesBackFromItsRecords() {
    table.settle(id(1), Stamp.atNanos(0), ANSWER);
    table.settle(id(4), Stamp.atNanos(9_000_000), ANSWER);
    table.settle(new RequestId(-3, 1), Stamp.atNanos(0), ANSWER);
    table.answered(CLIENT, 3);
    ClientTable copy = ClientTable.of(table.records());
    assertThat(copy.records()).isEqualTo(table.records());
    assertThat(copy.contains(id(4))).isTrue();
  }

  private static RequestId id(long sequence) {
    return new RequestId(CLIENT, sequence);
  }
}
