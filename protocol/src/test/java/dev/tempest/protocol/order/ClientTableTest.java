package dev.tempest.protocol.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.ClientTable.Bounds;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.Message.ClientRecord;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class ClientTableTest {
  private static final long CLIENT = 5;
  private static final long WRITER = -7;
  private static final Answer ANSWER = new Answer.Returned(Bytes.of((byte) 1));
  private static final int ANSWERS_MAX = 50;
  private static final long ROOM_BYTES = 32 << 20;
  private static final int ANSWERS_MAX_BYTES = 1 << 20;
  private static final Bounds FOREVER =
      new Bounds(1_000_000, 1_000_000, ROOM_BYTES, ANSWERS_MAX, ClientTable.INTERVALS_MAX);

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
    List<ClientRecord> records = records(before);
    edit(next -> {
      next.asked(id(2), 9, ANSWER, 2);
      next.asked(new RequestId(6, 1), 0, ANSWER, 0);
    });
    assertThat(records(before)).isEqualTo(records);
    assertThat(before.contains(id(2))).isFalse();
    assertThat(before.answer(id(1))).isEqualTo(ANSWER);
    assertThat(table.answer(id(1))).isNull();
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
      for (long sequence = 1; sequence <= 3 * ANSWERS_MAX; sequence++) {
        next.asked(id(sequence), 0, ANSWER, 0);
      }
    });
    assertThat(records(table).getFirst().results()).hasSize(ANSWERS_MAX);
    assertThat(table.answer(id(3 * ANSWERS_MAX))).isEqualTo(ANSWER);
    assertThat(records(table).getFirst().applied().intervals()).isEqualTo(1);
  }

  @Test
  void answersToOneClientTakeABoundedMemory() {
    Answer large = answer(ANSWERS_MAX_BYTES / 3);
    edit(next -> {
      for (long sequence = 1; sequence <= 100; sequence++) {
        next.asked(id(sequence), 0, large, 0);
      }
    });
    assertThat(table.sizeBytes()).isLessThan(ANSWERS_MAX_BYTES + 1_000);
    Answer huge = answer(2 * ANSWERS_MAX_BYTES);
    edit(next -> next.asked(id(101), 0, huge, 0));
    assertThat(table.answer(id(101))).as("the latest").isEqualTo(huge);
    assertThat(records(table).getFirst().results()).hasSize(1);
  }

  @Test
  void whoIsSilentForLongIsForgottenAndTheTableSaysSo() {
    Bounds bounds = new Bounds(10, 100, ROOM_BYTES, ANSWERS_MAX, ClientTable.INTERVALS_MAX);
    edit(150, bounds, next -> next.asked(id(1), 120, ANSWER, 0));
    assertThat(table.contains(id(1))).isTrue();
    edit(249, bounds, next -> next.wrote(new RequestId(WRITER, 1), 200));
    assertThat(table.contains(id(1))).isTrue();
    assertThat(table.mayHaveForgotten(CLIENT, 120)).isFalse();
    assertThat(table.mayHaveForgotten(9, 0)).as("nobody was forgotten").isFalse();
    edit(250, bounds, next -> {});
    assertThat(table.contains(id(1))).isFalse();
    assertThat(table.mayHaveForgotten(CLIENT, 120)).isTrue();
    assertThat(table.mayHaveForgotten(CLIENT, 150)).as("it would be known").isFalse();
    edit(260, bounds, next -> next.asked(id(2), 255, ANSWER, 0));
    assertThat(table.mayHaveForgotten(CLIENT, 120)).as("its earlier updates stay so").isTrue();
    assertThat(table.mayHaveForgotten(WRITER, 120)).as("it was never forgotten").isFalse();
  }

  @Test
  void aTableThatIsFullForgetsEarlierButNobodyTooEarly() {
    Bounds bounds = new Bounds(10, 1_000, 4_000, ANSWERS_MAX, ClientTable.INTERVALS_MAX);
    for (int i = 0; i < 100; i++) {
      long at = i;
      edit(at + 1, bounds, next -> next.asked(new RequestId(at, 1), at, ANSWER, 0));
      for (long earlier = Math.max(0, at - 9); earlier <= at; earlier++) {
        assertThat(table.contains(new RequestId(earlier, 1))).isTrue();
      }
    }
    assertThat(table.contains(new RequestId(1, 1))).isFalse();
    assertThat(table.sizeBytes()).isLessThan(2 * 4_000);
  }

  @Test
  void aTableThatIsFullTakesNoNewClientsAndKeepsNoAnswers() {
    Bounds bounds = new Bounds(10, 1_000, 4_000, ANSWERS_MAX, ClientTable.INTERVALS_MAX);
    for (long client = 1; table.hasRoomFor(-1, bounds); client++) {
      RequestId id = new RequestId(client, 1);
      edit(2, bounds, next -> next.asked(id, 1, ANSWER, 0));
    }
    assertThat(table.hasRoomFor(1, bounds)).as("it is known").isTrue();
    edit(3, bounds, next -> next.asked(new RequestId(1, 2), 2, ANSWER, 0));
    assertThat(table.contains(new RequestId(1, 2))).isTrue();
    assertThat(table.answer(new RequestId(1, 2))).isNull();
    edit(20, bounds, next -> {});
    edit(40, bounds, next -> {});
    assertThat(table.hasRoomFor(-1, bounds)).as("after a while").isTrue();
  }

  /** It sends numbers 1, 3, 5..., or every other update of it was refused. */
  @Test
  void whoLeavesOutNumbersTakesABoundedRoom() {
    int latest = 100_000;
    for (int i = 0; i < latest; i += 100) {
      int from = i;
      edit(next -> {
        for (int at = from; at < from + 100; at++) {
          next.asked(id(2L * at + 1), at, ANSWER, 0);
        }
      });
      assertThat(table.sizeBytes()).isLessThan(50_000);
    }
    for (int at = latest - 1_024; at < latest; at++) {
      assertThat(table.contains(id(2L * at + 1))).as("it may ask for the latest").isTrue();
      assertThat(table.contains(id(2L * at + 2))).isFalse();
    }
    assertThat(table.contains(id(1))).isFalse();
    assertThat(table.mayHaveForgotten(CLIENT, 0)).as("that it ran is not denied").isTrue();
    assertThat(table.mayHaveForgotten(CLIENT, latest)).isFalse();
    assertThat(table.mayHaveForgotten(9, 0)).as("others are not concerned").isFalse();
  }

  @Test
  void answersOfWhatIsForgottenGoWithIt() {
    Bounds bounds = new Bounds(1_000_000, 1_000_000, ROOM_BYTES, 10_000, ClientTable.INTERVALS_MAX);
    edit(
        1,
        bounds,
        next -> {
          for (int at = 0; at < 5_000; at++) {
            next.asked(id(2L * at + 1), at, ANSWER, 0);
          }
        });
    assertThat(records(table).getFirst().results()).hasSize(1_024);
  }

  @Test
  void aTableThatIsFullTakesNoMoreOfWhoLeavesOutNumbers() {
    Bounds bounds = new Bounds(10, 1_000, 4_000, ANSWERS_MAX, ClientTable.INTERVALS_MAX);
    edit(next -> {
      for (int at = 0; at < 1_000; at++) {
        next.wrote(id(2L * at + 1), 0);
      }
      next.wrote(new RequestId(WRITER, 1), 0);
    });
    assertThat(table.hasRoomFor(CLIENT, bounds)).isFalse();
    assertThat(table.hasRoomFor(WRITER, bounds)).isTrue();
    assertThat(table.hasRoomFor(CLIENT, FOREVER)).isTrue();
  }

  @Test
  void gapsBelowWhatHasEndedTakeNoRoom() {
    edit(next -> {
      for (int at = 0; at < 1_000; at++) {
        next.asked(id(2L * at + 1), at, ANSWER, 0);
      }
      next.ended(CLIENT, 1_001);
    });
    assertThat(records(table).getFirst().applied().intervals()).isEqualTo(500);
    assertThat(table.contains(id(1_000))).isTrue();
    assertThat(table.contains(id(1_002))).isFalse();
  }

  @Test
  void comesBackFromItsPages() {
    Bounds bounds = new Bounds(10, 100, ROOM_BYTES, ANSWERS_MAX, ClientTable.INTERVALS_MAX);
    for (long client = -50; client < 50; client++) {
      RequestId id = new RequestId(client, 3);
      long at = 100 + client;
      edit(at + 1, bounds, next -> next.asked(id, at, ANSWER, 2));
    }
    edit(171, bounds, next -> next.wrote(new RequestId(WRITER, 2), 170));
    for (int enoughBytes : new int[] {1, 500, 1_000, 1 << 20}) {
      List<ClientRecord> records = new ArrayList<>();
      long from = 0;
      do {
        ClientTable.Page page = table.page(from, enoughBytes);
        records.addAll(page.records());
        from = page.nextFrom();
      } while (from != 0);
      ClientTable copy = ClientTable.of(records, table.youngSince(), table.forgottenBefore());
      copy.checkInvariants();
      assertThat(records).hasSize(records(table).size()).isEqualTo(records(table));
      assertThat(records(copy)).isEqualTo(records(table));
      assertThat(copy.sizeBytes()).isEqualTo(table.sizeBytes());
      assertThat(copy.mayHaveForgotten(1_000, 99)).isEqualTo(table.mayHaveForgotten(1_000, 99));
    }
  }

  @Test
  void whatIsLackingIsWhatIsNotKnown() {
    edit(next -> next.asked(id(1), 0, ANSWER, 0));
    assertThat(table.lacking(CLIENT, IntervalSet.of(1, 2))).isEqualTo(IntervalSet.of(2, 2));
    assertThat(table.lacking(9, IntervalSet.of(1, 2))).isEqualTo(IntervalSet.of(1, 2));
  }

  private void edit(Consumer<ClientTable.Edit> changes) {
    edit(1, FOREVER, changes);
  }

  private void edit(long until, Bounds bounds, Consumer<ClientTable.Edit> changes) {
    ClientTable.Edit next = table.edit();
    changes.accept(next);
    table = next.done(until, bounds);
    table.checkInvariants();
  }

  private static List<ClientRecord> records(ClientTable table) {
    return table.page(0, Integer.MAX_VALUE).records();
  }

  private static Answer answer(int sizeBytes) {
    return new Answer.Returned(Bytes.of(new byte[sizeBytes]));
  }

  private static RequestId id(long sequence) {
    return new RequestId(CLIENT, sequence);
  }
}
