package dev.tempest.protocol.membership;

import dev.tempest.wire.Message.Heartbeat;
import dev.tempest.wire.Message.MemberRecord;
import dev.tempest.wire.Message.Roster;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Makes messages that are no larger than allowed out of a table of any size. What does not fit goes
 * into the next ones: every entry gets its turn, and what has changed lately goes first.
 */
final class Rosters {
  /** As many messages at most answer one probe. */
  private static final int WELCOME_MESSAGES_MAX = 16;

  /** Type and length of the message, numbers of elements. */
  private static final int MESSAGE_OVERHEAD_BYTES = 12;

  /** The header of the frame. */
  private static final int FRAME_BYTES = 24;

  private static final int ID_BYTES = 8;

  /** What every heartbeat may take longer than the news of it needs on average. */
  private static final int SLACK_ROUNDS = 4;

  /** State, lengths of two texts. */
  private static final int RECORD_OVERHEAD_BYTES = 1 + 2 + 2;

  private final MemberTable table;
  private final int messageMaxBytes;
  private final Map<Filter, Long> last = new EnumMap<>(Filter.class);
  private int spokenOf = MemberTable.MEMBERS_MAX;

  /** The seed says with whom to begin, so that not all processes speak of the same ones. */
  Rosters(MemberTable table, int messageMaxBytes, long seed) {
    this.table = table;
    this.messageMaxBytes = messageMaxBytes;
    for (Filter filter : Filter.values()) {
      last.put(filter, seed);
    }
  }

  /** How many rosters it takes to speak of everybody. */
  private int parts() {
    return (table.present() + spokenOf - 1) / spokenOf;
  }

  /**
   * How long a heartbeat may not grow before its process counts as silent. News spreads from member
   * to member: the more there are, the longer it is on its way.
   */
  long silentAfterMillis(MemberSettings settings) {
    int doublings = Integer.SIZE - Integer.numberOfLeadingZeros(table.present());
    long rounds = (long) doublings * parts() + SLACK_ROUNDS;
    return Math.max(settings.silentAfterMillis(), rounds * settings.heartbeatMillis());
  }

  /** The next message to somebody who probably knows most members. */
  Roster next(MemberRecord self, long nowNanos) {
    int room = room(self);
    List<MemberRecord> records = new ArrayList<>();
    List<Heartbeat> heartbeats = new ArrayList<>();
    int allBytes = 0;
    for (Known known : table.all()) {
      allBytes += isTold(known, nowNanos) ? sizeBytes(known.record()) : 0;
    }
    if (allBytes <= room) {
      fill(records, Filter.TOLD, room, room, nowNanos);
    } else {
      int left = room - fill(records, Filter.NEWS, room - room / 4, room, nowNanos);
      left -= fill(records, Filter.NO_NEWS, left / 4, left, nowNanos);
      fillHeartbeats(heartbeats, left, nowNanos);
    }
    spokenOf = Math.max(1, records.size() + heartbeats.size());
    return new Roster(self, records, heartbeats);
  }

  /** Everybody, for one who knows nobody. */
  List<Roster> welcome(MemberRecord self, long nowNanos) {
    List<Roster> messages = new ArrayList<>();
    int toTell = table.present();
    last.put(Filter.PRESENT, self.id());
    do {
      List<MemberRecord> records = new ArrayList<>();
      fill(records, Filter.PRESENT, room(self), room(self), nowNanos);
      messages.add(new Roster(self, records, List.of()));
      toTell -= records.size();
    } while (toTell > 0 && messages.size() < WELCOME_MESSAGES_MAX);
    return messages;
  }

  /** What goes into one part of a message; each has its own place where it goes on. */
  private enum Filter {
    TOLD,
    NEWS,
    NO_NEWS,
    PRESENT,
    ALIVE;

    boolean passes(Known known, long nowNanos) {
      return switch (this) {
        case TOLD -> isTold(known, nowNanos);
        case NEWS -> isNews(known, nowNanos);
        case NO_NEWS -> known.isPresent() && !isNews(known, nowNanos);
        case PRESENT -> known.isPresent();
        case ALIVE -> known.isAlive();
      };
    }
  }

  private static boolean isTold(Known known, long nowNanos) {
    return known.isPresent() || isNews(known, nowNanos);
  }

  private static boolean isNews(Known known, long nowNanos) {
    return known.newsUntilNanos > nowNanos;
  }

  private int room(MemberRecord self) {
    return messageMaxBytes - FRAME_BYTES - MESSAGE_OVERHEAD_BYTES - sizeBytes(self);
  }

  /**
   * Adds records until there are {@code enoughBytes}, never more than {@code maxBytes}.
   *
   * @return how many bytes
   */
  private int fill(
      List<MemberRecord> records, Filter filter, int enoughBytes, int maxBytes, long nowNanos) {
    int used = 0;
    for (Known known : around(filter)) {
      if (filter.passes(known, nowNanos)) {
        MemberRecord record = known.record();
        int size = sizeBytes(record);
        if (used >= enoughBytes || used + size > maxBytes) {
          break;
        }
        used += size;
        records.add(record);
        last.put(filter, known.id());
      }
    }
    return used;
  }

  private void fillHeartbeats(List<Heartbeat> heartbeats, int maxBytes, long nowNanos) {
    int used = 0;
    for (Known known : around(Filter.ALIVE)) {
      if (Filter.ALIVE.passes(known, nowNanos)) {
        used += ID_BYTES + varintBytes(known.heartbeat);
        if (used > maxBytes) {
          break;
        }
        heartbeats.add(new Heartbeat(known.id(), known.heartbeat));
        last.put(Filter.ALIVE, known.id());
      }
    }
  }

  /** As many as a message has room for are looked at, and no more. */
  private Iterable<Known> around(Filter filter) {
    return () -> table.allAfter(last.getOrDefault(filter, 0L));
  }

  private static int sizeBytes(MemberRecord record) {
    return ID_BYTES
        + RECORD_OVERHEAD_BYTES
        + varintBytes(record.heartbeat())
        + varintBytes(record.hosting())
        + utf8Bytes(record.address())
        + utf8Bytes(record.name());
  }

  private static int varintBytes(long value) {
    return 1 + (Long.SIZE - 1 - Long.numberOfLeadingZeros(value | 1)) / 7;
  }

  /** An upper bound. */
  private static int utf8Bytes(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      bytes += each < 0x80 ? 1 : 3;
    }
    return bytes;
  }
}
