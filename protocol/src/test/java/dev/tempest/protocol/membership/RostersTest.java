package dev.tempest.protocol.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Address;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Heartbeat;
import dev.tempest.wire.Message.MemberRecord;
import dev.tempest.wire.Message.MemberState;
import dev.tempest.wire.Message.Roster;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that fit a datagram, and in time speak of everybody. */
final class RostersTest {
  private static final int MAX_BYTES = 1_400;
  private static final long LONG_AGO = 0;
  private static final long NOW = 1_000_000_000_000L;

  private record Place(String text) implements Address {}

  private static final MemberRecord SELF =
      new MemberRecord(
          -1, MemberState.PRESENT, 1L << 48, 1L << 48, "€".repeat(128), "€".repeat(64));

  private final MemberTable table =
      new MemberTable(new Place("me"), Place::new, 250_000_000, 60_000_000_000L);
  private final Rosters rosters = new Rosters(table, MAX_BYTES, 1);

  private void add(long id, String address, long sinceNanos) {
    MemberRecord record = new MemberRecord(id, MemberState.PRESENT, 1_000 + id, 0, address, "");
    table.take(record, new Place(address), sinceNanos);
  }

  private static int frameBytes(Message message) {
    ByteWriter writer = new ByteWriter(1 << 20);
    FrameCodec.begin(writer, 1, 2);
    FrameCodec.add(writer, message);
    FrameCodec.end(writer);
    return writer.size();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 20, 33, 34, 100, 1_000})
  void noMessageIsTooLargeAndEverybodyHasItsTurn(int size) {
    for (int id = 0; id < size; id++) {
      add(id, "10.0.0." + id + ":7500", id % 3 == 0 ? NOW : LONG_AGO);
    }
    TreeSet<Long> records = new TreeSet<>();
    TreeSet<Long> heartbeats = new TreeSet<>();
    for (int message = 0; message < 600; message++) {
      Roster next = rosters.next(SELF, NOW);
      assertThat(frameBytes(next)).isLessThanOrEqualTo(MAX_BYTES);
      next.others().stream().map(MemberRecord::id).forEach(records::add);
      next.heartbeats().stream().map(Heartbeat::id).forEach(heartbeats::add);
    }
    assertThat(records).hasSize(size);
    if (!heartbeats.isEmpty()) {
      assertThat(heartbeats).hasSize(size);
    }
  }

  @Test
  void theLongestTextsFitAndKeepNobodyFromHavingATurn() {
    for (int id = 0; id < 50; id++) {
      add(id, (id + "€".repeat(128)).substring(0, 128), id < 10 ? NOW : LONG_AGO);
    }
    long later = NOW + 60_000_000_000L; // When nothing is news any more.
    TreeSet<Long> records = new TreeSet<>();
    for (int message = 0; message < 150; message++) {
      Roster next = rosters.next(SELF, message < 50 ? NOW : later);
      assertThat(frameBytes(next)).isLessThanOrEqualTo(MAX_BYTES);
      next.others().stream().map(MemberRecord::id).forEach(records::add);
    }
    assertThat(records).hasSize(50);
  }

  @Test
  void aWelcomeSpeaksOfEverybodyInAFewMessages() {
    for (int id = 0; id < 300; id++) {
      add(id, "10.0.0." + id + ":7500", LONG_AGO);
    }
    TreeSet<Long> records = new TreeSet<>();
    for (Roster message : rosters.welcome(SELF, NOW)) {
      assertThat(frameBytes(message)).isLessThanOrEqualTo(MAX_BYTES);
      message.others().stream().map(MemberRecord::id).forEach(records::add);
    }
    assertThat(records).hasSize(300);
  }

  @Test
  void whatHasChangedIsInEveryMessage() {
    for (int id = 0; id < 500; id++) {
      add(id, "10.0.0." + id + ":7500", LONG_AGO);
    }
    add(1_000, "new", NOW);
    table.take(new MemberRecord(7, MemberState.LEFT, 9_999, 0, "at7", ""), new Place(""), NOW);
    for (int message = 0; message < 20; message++) {
      assertThat(rosters.next(SELF, NOW).others())
          .extracting(MemberRecord::id)
          .contains(7L, 1_000L);
    }
  }
}
