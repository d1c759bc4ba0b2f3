package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Effect;
import dev.tempest.service.Reconciliation;
import dev.tempest.service.Reconciliation.Updates;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects which entries came long after their time and which were given up, until the service is
 * told: after a round in which there were no more, so that many together cost one execution of what
 * follows them. Whoever catches up would else spend its rounds on that, and fall further behind.
 *
 * <p>Not thread-safe.
 */
final class Reconciliations {
  /** If there are more in each round, the service is told after so many. */
  static final int ROUNDS_MAX = 10;

  private final Window window;
  private final List<Reconciliation.Id> lateIds = new ArrayList<>();
  private final List<Reconciliation.Id> givenUpIds = new ArrayList<>();
  private long late;
  private long givenUp;
  private long lateInAll;

  /** Before all that was collected; null if nothing was. */
  private @Nullable Version before;

  private int rounds;
  private boolean isQuiet;

  Reconciliations(Window window) {
    this.window = window;
  }

  /** How many entries came late since this replica was made. */
  long lateInAll() {
    return lateInAll;
  }

  /** This entry comes late, and will be in the window. */
  void late(RequestId id) {
    beginIfFirst();
    late++;
    lateInAll++;
    add(id, lateIds);
  }

  /** So many have come in at once since the version, and some that were in it are given up. */
  void late(long count, List<RequestId> gone, Version earlier) {
    before = before == null ? earlier : before;
    isQuiet = false;
    late += count;
    lateInAll += count;
    givenUp += gone.size();
    gone.forEach(id -> add(id, givenUpIds));
  }

  /** This entry, which is in the window, is given up. */
  void givenUp(RequestId id) {
    beginIfFirst();
    givenUp++;
    add(id, givenUpIds);
  }

  private void beginIfFirst() {
    before = before == null ? window.version() : before;
    isQuiet = false;
  }

  private static void add(RequestId id, List<Reconciliation.Id> ids) {
    if (ids.size() < Updates.IDS_MAX) {
      ids.add(new Reconciliation.Id(id.client(), id.sequence()));
    }
  }

  /** A round has ended: has the service told of what was collected, unless more is coming. */
  void endRound(List<Effect> effects) {
    Version earlier = before;
    if (earlier == null) {
      return;
    }
    boolean isTold = isQuiet || ++rounds == ROUNDS_MAX;
    isQuiet = true;
    if (!isTold) {
      return;
    }
    List<String> collections = window.version().changedSince(earlier);
    effects.add(
        new Effect.Reconciled(
            new Reconciliation(
                new Updates(late, lateIds), new Updates(givenUp, givenUpIds), collections)));
    before = null;
    rounds = 0;
    late = 0;
    givenUp = 0;
    lateIds.clear();
    givenUpIds.clear();
  }
}
