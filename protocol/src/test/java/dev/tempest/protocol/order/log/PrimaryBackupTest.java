package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Quorum;
import dev.tempest.wire.GroupView;
import dev.tempest.wire.LogMessage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a replica of a service with a primary asks the view service, which clients wait for. */
final class PrimaryBackupTest {
  private static final long HEARTBEAT = 20;
  private static final long ELECTION = 100;
  private static final GroupView VIEW = new GroupView(3, List.of(1L, 2L), List.of(1L, 2L));

  private long now = 10;

  private static PrimaryBackup replica(long self) {
    Group group =
        new Group(self, Quorum.ALL, HEARTBEAT, ELECTION, false, Group.Leases.NONE, false, 4, 1_000);
    return new PrimaryBackup(group, 2, 0);
  }

  private void views(PrimaryBackup replica, GroupView view) {
    replica.step(new Agreement.Event.Viewed(now, view));
  }

  /** What it asks for in so many milliseconds, each as often as it does. */
  private List<GroupView> asks(PrimaryBackup replica, long millis) {
    List<GroupView> asked = new ArrayList<>();
    for (long until = now + millis; now < until; now++) {
      for (int turn = 0; turn < 3 && replica.nextTickNanos() <= now; turn++) {
        replica.step(new Agreement.Event.Tick(now)).stream()
            .filter(Agreement.Effect.AskForView.class::isInstance)
            .forEach(each -> asked.add(((Agreement.Effect.AskForView) each).wanted()));
      }
    }
    return asked;
  }

  @Test
  void onceItHasTakenOverItAsksAtOnceForTheViewInWhichThatCounts() {
    PrimaryBackup backup = replica(2);
    views(backup, VIEW);
    GroupView alone = VIEW.next(List.of(2L));
    views(backup, alone);
    assertThat(asks(backup, 2)).containsExactly(alone, alone.completed());
    assertThat(asks(backup, HEARTBEAT)).containsExactly(alone.completed());
  }

  /** Else it would not know for long that it is a backup, nor whom it misses. */
  @Test
  void whoIsLedByALaterViewAsksForThat() {
    PrimaryBackup spare = replica(3);
    views(spare, VIEW);
    asks(spare, ELECTION);
    assertThat(asks(spare, HEARTBEAT)).isEmpty();
    GroupView later = new GroupView(5, List.of(1L, 3L), List.of(1L, 3L));
    led(spare, later);
    assertThat(asks(spare, HEARTBEAT)).isNotEmpty();
    views(spare, later);
    asks(spare, 1);
    led(spare, later);
    assertThat(asks(spare, HEARTBEAT)).isEmpty();
  }

  /** To ask at each heartbeat for what the view service does not know would help nobody. */
  @Test
  void whoIsLedByAViewThatNobodyKnowsAsksEverLessOften() {
    PrimaryBackup spare = replica(3);
    views(spare, VIEW);
    asks(spare, ELECTION);
    GroupView unknown = new GroupView(5, List.of(1L, 3L), List.of(1L, 3L));
    led(spare, unknown);
    assertThat(asks(spare, 15 * HEARTBEAT)).as("after 1, 2 and 4 heartbeats").hasSize(4);
    led(spare, unknown.next(unknown.members()));
    assertThat(asks(spare, HEARTBEAT)).as("that one may be known").hasSize(1);
  }

  private void led(PrimaryBackup replica, GroupView view) {
    var said = new LogMessage.Prepare(view.ballot());
    replica.step(new Agreement.Event.Received(now, view.primary(), said));
  }
}
