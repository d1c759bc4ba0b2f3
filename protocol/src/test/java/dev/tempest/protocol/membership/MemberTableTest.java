package dev.tempest.protocol.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Address;
import dev.tempest.wire.Message.Hosting;
import dev.tempest.wire.Message.MemberRecord;
import dev.tempest.wire.Message.MemberState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is known depends on the records, not on how they came. */
final class MemberTableTest {
  private record Place(String text) implements Address {}

  private static final List<MemberState> STATES = List.of(MemberState.values());
  private static final Place ELSEWHERE = new Place("elsewhere");

  private static List<MemberRecord> know(List<MemberRecord> records) {
    MemberTable table = new MemberTable(new Place("me"), Place::new, 1, 1_000);
    records.forEach(record -> table.take(record, ELSEWHERE, 5));
    table.checkInvariants();
    return table.all().stream().map(Known::record).toList();
  }

  private static MemberRecord record(int id, MemberState state, int heartbeat) {
    return new MemberRecord(id, state, heartbeat, 0, "at" + id, "");
  }

  @Test
  void recordsInAnyOrderAndAnyNumberGiveTheSameTable() {
    Random random = new Random(1);
    for (int round = 0; round < 200; round++) {
      List<MemberRecord> records = new ArrayList<>();
      for (int id = 0; id < 3; id++) { // Known before anything becomes of them.
        records.add(record(id, MemberState.PRESENT, 0));
      }
      List<MemberRecord> later = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        MemberState state = STATES.get(random.nextInt(STATES.size()));
        later.add(record(random.nextInt(3), state, random.nextInt(6)));
      }
      List<MemberRecord> one = new ArrayList<>(records);
      one.addAll(later);
      Collections.shuffle(later, random);
      List<MemberRecord> other = new ArrayList<>(records);
      other.addAll(later);
      other.addAll(later.subList(0, 5));
      assertThat(know(other)).isEqualTo(know(one));
    }
  }

  @Test
  void anAbsurdListKeepsNobodyFromSayingWhatItHosts() {
    MemberTable table = new MemberTable(new Place("me"), Place::new, 1, 1_000);
    table.take(new MemberRecord(1, MemberState.PRESENT, 3, 1, "elsewhere", ""), ELSEWHERE, 0);
    table.take(new Hosting(1, Long.MAX_VALUE, List.of(9L)), ELSEWHERE);
    table.take(new Hosting(1, 1, List.of(7L)), ELSEWHERE);
    assertThat(table.all())
        .singleElement()
        .satisfies(each -> assertThat(each.services).containsExactly(7L));
  }

  /** A machine was copied: the copy was heard of first, and has started again with its own id. */
  @Test
  void whoWasHeardOfAtAnothersAddressIsWhereItSaysItself() {
    for (Place me : List.of(new Place("me"), new Place("copy"))) {
      MemberTable table = new MemberTable(me, Place::new, 1, 1_000);
      MemberRecord original = new MemberRecord(1, MemberState.PRESENT, 5, 0, "elsewhere", "");
      table.take(new MemberRecord(1, MemberState.PRESENT, 3, 0, "copy", ""), new Place("copy"), 0);
      table.take(new MemberRecord(2, MemberState.PRESENT, 1, 0, "copy", ""), new Place("copy"), 1);
      table.take(original, new Place("third"), 2);
      assertThat(table.presentMembers()).doesNotContainKey(1L);
      table.take(original, ELSEWHERE, 3);
      assertThat(table.presentMembers().values())
          .filteredOn(each -> each.id() == 1)
          .singleElement()
          .satisfies(each -> assertThat(each.address()).isEqualTo(ELSEWHERE));
      table.checkInvariants();
    }
  }

  /** It is busy, and says so only to those with whom it agrees on something. */
  @Test
  void whoIsHeardOtherwiseIsNotSilent() {
    MemberTable table = new MemberTable(new Place("me"), Place::new, 1, 1_000);
    table.take(new MemberRecord(1, MemberState.PRESENT, 3, 0, "elsewhere", ""), ELSEWHERE, 0);
    table.heard(1, 90);
    table.sweep(100, 20);
    assertThat(table.aliveIds()).containsExactly(1L);
    table.sweep(110, 20);
    assertThat(table.aliveIds()).isEmpty();
    table.heard(1, 120);
    assertThat(table.aliveIds()).containsExactly(1L);
    assertThat(table.takeChanged()).isTrue();
    table.heard(2, 120);
    table.checkInvariants();
  }

  @Test
  void whoIsGoneIsForgottenInTheEnd() {
    MemberTable table = new MemberTable(new Place("me"), Place::new, 1, 1_000);
    MemberRecord record = new MemberRecord(1, MemberState.PRESENT, 3, 0, "elsewhere", "");
    table.take(record, ELSEWHERE, 0);
    table.sweep(1_000, 100);
    assertThat(table.present()).isZero();
    table.sweep(10_999, 100);
    assertThat(table.all()).hasSize(1);
    table.sweep(11_000, 100);
    assertThat(table.all()).isEmpty();
  }

  @Test
  void whoeverForgotOneThatIsGoneIsNotRemindedOfIt() {
    MemberTable table = new MemberTable(new Place("me"), Place::new, 1, 1_000);
    MemberRecord gone = new MemberRecord(1, MemberState.EXPELLED, 3, 0, "elsewhere", "");
    table.take(gone, ELSEWHERE, 0);
    assertThat(table.all()).isEmpty();
  }
}
