package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.View;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Who should be the members of a group. Not thread-safe. */
final class Membership {
  private final int size;

  /** Those that go: nobody keeps their places. */
  private final Set<Long> leaving = new LinkedHashSet<>();

  /** Of so many members. */
  Membership(int size) {
    this.size = size;
  }

  /** These go. */
  void leave(Collection<Long> members) {
    leaving.addAll(members);
  }

  boolean isLeaving(long replica) {
    return leaving.contains(replica);
  }

  /**
   * All that are here. Who is missing may come back with all that it has, and keeps its place until
   * another one has it, or it has said that it goes.
   */
  List<Long> wanted(View view, List<Long> members) {
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
    return wanted.isEmpty() ? members : wanted;
  }
}
