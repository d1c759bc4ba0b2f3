package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.View;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Who should be the members of a group. Not thread-safe. */
final class Membership {
  private final Group group;
  private final int size;

  /** Those that go: nobody keeps their places. */
  private final Set<Long> leaving = new LinkedHashSet<>();

  /** When this one says so next, if it goes. */
  private long sayNanos = Long.MIN_VALUE;

  /** Of so many members. */
  Membership(Group group, int size) {
    this.group = group;
    this.size = size;
  }

  /** These go. Whoever has its log on a disk comes back with it, and keeps its place. */
  void leave(Collection<Long> members) {
    if (!group.stores()) {
      leaving.addAll(members);
    }
  }

  /** When {@link #isToSayThatItLeaves} is true next. */
  long nextTickNanos() {
    return leaving.contains(group.self()) ? sayNanos : Long.MAX_VALUE;
  }

  /** Whether this replica goes, and the others are to be told now. */
  boolean isToSayThatItLeaves(long nowNanos) {
    if (nowNanos < nextTickNanos()) {
      return false;
    }
    sayNanos = nowNanos + group.electionNanos();
    return true;
  }

  /** How these members are to change. */
  Agreement.Event.Change change(View view, List<Long> members, long nowNanos) {
    List<Long> wanted = wanted(view, members);
    long newcomers = wanted.stream().filter(each -> !members.contains(each)).count();
    List<Long> gone =
        members.stream()
            .filter(each -> !view.all().contains(each))
            .limit(Math.max(0, members.size() + newcomers - size)) // The others keep their places.
            .toList();
    return new Agreement.Event.Change(nowNanos, new SlotEntry.Members(wanted), gone);
  }

  /**
   * All that are here. Who is missing may come back with all that it has, and keeps its place until
   * another one has it, or it has said that it goes.
   */
  private List<Long> wanted(View view, List<Long> members) {
    List<Long> wanted = new ArrayList<>();
    int kept = 0;
    for (long each : view.all()) {
      if (!leaving.contains(each)) {
        wanted.add(each);
        kept += members.contains(each) ? 1 : 0;
      }
    }
    for (long member : members) {
      boolean isMissing = !wanted.contains(member) && !leaving.contains(member);
      if (isMissing && kept < size) {
        wanted.add(member);
        kept++;
      }
    }
    if (!wanted.isEmpty()) {
      return wanted;
    }
    return members.isEmpty() ? List.of(group.self()) : members; // Nobody is left to go on.
  }
}
