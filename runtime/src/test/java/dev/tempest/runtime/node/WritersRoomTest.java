package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.OverloadedException;
import dev.tempest.state.versioned.VersionedState;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a writer waits for; the test is the loop that makes room, and the other writer. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WritersRoomTest {
  private final SharedReplica replica = new SharedReplica(Duration.ofSeconds(2));
  private final PublishedVersion published =
      new PublishedVersion(new VersionedState().emptyVersion(), "closed");
  private final WriterLock writing = new WriterLock();

  /** Whoever is told that there is room, and then finds the room taken, does not begin anew. */
  @Test
  void aWriteWaitsForEverythingTogetherNoLongerThanItsDeadline() {
    WritersRoom room = new WritersRoom(published, replica, writing, Duration.ofSeconds(2));
    shut(true);
    CompletableFuture<Throwable> refused = new CompletableFuture<>();
    Thread writer =
        new Thread(() -> {
          try {
            room.enter(room.come(), true);
          } catch (OverloadedException tooLate) {
            refused.complete(tooLate);
          }
        });
    writer.start();
    while (writer.isAlive()) {
      awaitWaiting(writer, false);
      writing.lock();
      try {
        shut(false);
        awaitWaiting(writer, true);
        shut(true);
      } finally {
        writing.unlock();
      }
    }
    assertThat(refused).isCompleted();
  }

  private void awaitWaiting(Thread writer, boolean forOthers) {
    while (writer.isAlive()
        && (writer.getState() != Thread.State.TIMED_WAITING
            || writing.hasQueuedThread(writer) != forOthers)) {
      Thread.onSpinWait();
    }
  }

  private void shut(boolean isShut) {
    replica.using().lock();
    try {
      published.stepped(false, isShut);
    } finally {
      replica.using().unlock();
    }
  }
}
