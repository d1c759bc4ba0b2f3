package dev.tempest.simulator;

import dev.tempest.wire.Seen;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the requests of one chain have seen: as handles say it, and as it really was. */
final class SimChain {
  private static final int LOOK_PERCENT = 60;

  private final Set<Long> known = new LinkedHashSet<>();
  private Seen seen = Seen.NOTHING;

  /** What its handle says. */
  Seen seen() {
    return seen;
  }

  /** Whether a read asks for an update that the chain has seen. */
  boolean knows(Invocation read) {
    return !read.update() && known.contains(read.tag());
  }

  /** Adds the tags of the updates that it has seen. */
  void addKnown(Set<Long> tags) {
    tags.addAll(known);
  }

  /** What it asks next: mostly whether it still sees what it has seen, or what others may have. */
  Invocation next(Workload workload, Randomness random) {
    if (!random.chance(LOOK_PERCENT)) {
      return workload.next(random);
    }
    List<Long> all = new ArrayList<>(known);
    return workload.look(
        all.isEmpty() || random.chance(50)
            ? Math.max(1, workload.latestTag() - random.between(0, 4))
            : all.get(random.between(Math.max(0, all.size() - 3), all.size() - 1)));
  }

  /** An operation has ended. */
  void ended(Workload workload, Operation operation) {
    long tag = operation.invocation.tag();
    if (operation.shows(workload) && workload.isLasting(tag)) {
      known.add(tag);
    }
  }

  /** The front-end says what an operation has seen. */
  void saw(Operation operation, Seen more) {
    seen = more.max(operation.invocation.update() ? seen : seen.without(operation.sent));
  }

  /** Takes the handle of another chain, and so all that it has seen. */
  void take(SimChain other) {
    seen = seen.max(other.seen);
    known.addAll(other.known);
  }
}
