package dev.tempest.protocol.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Message.ClientRecord;
import dev.tempest.wire.RequestId;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class ClientTableTest {
  private static final long CLIENT = 5;
  private static final long WRITER = -7;
  private static final Answer ANSWER = new Answer.Returned(Bytes.of((byte) 1));

  private ClientTable table = ClientTable.EMPTY;

  @Test
  void remembersWhatWasExecuted() {
    edit(next -> {
      next.asked(id(1), 0, ANSWER, 0);
      next.asked(id(3), 0, ANSWER, 0);
      next.wrote(new RequestId(WRITER, 1), 0);
    });
    assertThat(table.contains(id(1))).isTrue();
    assertThat(table.contains(id(2))).isFalse();
    assertThat(table.contains(new RequestId(WRITER, 1))).isTrue();
    assertThat(table.contains(new RequestId(6, 1))).isFalse();
    assertThat(table.answer(id(3))).isEqualTo(ANSWER);
    assertThat(table.answer(new RequestId(WRITER, 1))).isNull();
  }

  @Test
  void whatCameBeforeAnEditStaysAsItWas() {
    edit(next -> next.asked(id(1), 0, ANSWER, 0));
    ClientTable before = table;
    List<ClientRecord> records = before.page(0, Integer.MAX_VALUE).records();
    edit(next -> {
      next.asked(id(2), 9, ANSWER, 2);
      next.asked(new RequestId(6, 1), 0, ANSWER, 0);
      next.forget(5, 0);
    });
    assertThat(before.page(0, Integer.MAX_VALUE).records()).isEqualTo(records);
    assertThat(before.contains(id(2))).isFalse();
    assertThat(before.answer(id(1))).isEqualTo(ANSWER);
    assertThat(table.answer(id(1))).isNull();
    assertThat(table.isUnknown(6)).isTrue();
  }

  @Test
  void dropsAnswersThatTheClientHasButNotThatTheyRan() {
    edit(next -> next.asked(id(1), 0, ANSWER, 0));
    edit(next -> next.asked(id(2), 0, ANSWER, 2));
    assertThat(table.answer(id(1))).isNull();
    assertThat(table.answer(id(2))).isEqualTo(ANSWER);
    assertThat(table.contains(id(1))).isTrue();
  }

  @Test
  void keepsABoundedNumberOfAnswers() {
    edit(next -> {
      for (long sequence = 1; sequence <= 3 * ClientTable.ANSWERS_MAX; sequence++) {
        next.asked(id(sequence), 0, ANSWER, 0);
      }
    });
    assertThat(table.page(0, Integer.MAX_VALUE).records().getFirst().results())
        .hasSize(ClientTable.ANSWERS_MAX);
    assertThat(table.answer(id(3 * ClientTable.ANSWERS_MAX))).isEqualTo(ANSWER);
    assertThat(table.page(0, Integer.MAX_VALUE).records().getFirst().applied().intervals())
        .isEqualTo(1);
  }

  @Test
  void forgetsThoseWhoAreSilentForLongEachKindByANumberOfItsOwn() {
    edit(next -> {
      next.asked(id(1), 100, ANSWER, 0);
      next.wrote(new RequestId(WRITER, 1), 100);
    });
    edit(next -> next.forget(100, 50));
    assertThat(table.contains(id(1))).isTrue();
    edit(next -> next.forget(101, 51));
    assertThat(table.contains(id(1))).isFalse();
    assertThat(table.contains(new RequestId(WRITER, 1))).isTrue();
    edit(next -> next.asked(id(2), 200, ANSWER, 0));
    assertThat(table.contains(id(1))).as("what was forgotten does not come back").isFalse();
  }

  @Test
  void theForgottenTakeNoMemoryInTheEnd() {
    for (int i = 0; i < 5_000; i++) {
      long at = i;
      edit(next -> {
        next.asked(new RequestId(at, 1), at, ANSWER, 0);
        next.forget(at - 10, 0);
      });
    }
    assertThat(table.page(0, Integer.MAX_VALUE).records()).hasSize(11);
    assertThat(table.size()).isLessThan(2_000);
  }

  @Test
  void comesBackFromItsRecordsWithWhoWrites() {
    edit(next -> {
      next.asked(id(1), 0, ANSWER, 0);
      next.asked(id(4), 9, ANSWER, 3);
      next.asked(new RequestId(-3, 1), 0, ANSWER, 2);
      next.wrote(new RequestId(WRITER, 2), 3);
    });
    ClientTable copy = ClientTable.of(table.page(0, Integer.MAX_VALUE).records());
    assertThat(copy.page(0, Integer.MAX_VALUE).records())
        .isEqualTo(table.page(0, Integer.MAX_VALUE).records());
    assertThat(copy.contains(id(4))).isTrue();
    assertThat(copy.page(0, Integer.MAX_VALUE).records())
        .filteredOn(ClientRecord::writes)
        .hasSize(1);
  }

  private void edit(Consumer<ClientTable.Edit> changes) {
    ClientTable.Edit next = table.edit();
    changes.accept(next);
    table = next.done();
  }

  private static RequestId id(long sequence) {
    return new RequestId(CLIENT, sequence);
  }
}
