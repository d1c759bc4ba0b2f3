package dev.tempest.protocol.membership;

import dev.tempest.wire.Message.MemberRecord;
import dev.tempest.wire.Message.Roster;
import java.util.List;

/** How a member that leaves tells the others: some times, for each may get lost. */
final class Goodbyes {
  static final long EVERY_NANOS = 20_000_000;

  private static final int TIMES = 3;
  private static final int AT_ONCE_MAX = 256;

  private final MemberTable table;
  private int said;

  Goodbyes(MemberTable table) {
    this.table = table;
  }

  /** Says it once more; true if that is enough. */
  boolean say(MemberRecord self, List<Members.Effect> effects) {
    Roster goodbye = new Roster(self, List.of(), List.of());
    effects.add(new Members.Effect.Announce(goodbye));
    table.all().stream()
        .filter(Known::isPresent)
        .limit(AT_ONCE_MAX)
        .forEach(known -> effects.add(new Members.Effect.Send(known.address(), goodbye)));
    return ++said == TIMES;
  }
}
