package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tempest.config.NodeConfig;
import dev.tempest.runtime.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one node has seen, awaited at another one. */
@Timeout(60)
final class NodeHandleTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  @AutoClose private final JoinedNodes nodes = new JoinedNodes();

  @Test
  void whoWroteAtOneNodeReadsHisWriteAtTheOther() throws InterruptedException {
    Node one = nodes.join();
    Node two = nodes.join();
    Map<String, Integer> ours = one.map("m");
    Map<String, Integer> theirs = two.map("m");
    for (int i = 1; i <= 500; i++) {
      ours.put("a", i);
      assertThat(two.awaitSeen(Handle.parse(one.handle().toString()), LONG)).isTrue();
      assertThat(theirs.get("a")).isEqualTo(i);
      theirs.put("b", i);
      assertThat(one.awaitSeen(Handle.of(two.handle().toBytes()), LONG)).isTrue();
      assertThat(ours.get("b")).isEqualTo(i);
    }
    assertThat(one.handle().toBytes()).hasSizeLessThan(200);
  }

  @Test
  void whoOnlyChecksIsToldTheTruthAlsoBetweenTheStepsOfOthers() throws InterruptedException {
    Node one = nodes.join();
    Map<String, Integer> map = one.map("m");
    Thread busy =
        Thread.ofPlatform()
            .start(() -> {
              while (!Thread.currentThread().isInterrupted()) {
                one.batch(() -> {
                  map.merge("a", 1, Integer::sum);
                  LockSupport.parkNanos(1_000_000);
                });
                LockSupport.parkNanos(1_000_000);
              }
            });
    Handle seen = one.handle();
    while (map.getOrDefault("a", 0) < 300) {
      assertThat(one.awaitSeen(seen, Duration.ZERO)).isTrue();
    }
    busy.interrupt();
    busy.join();
  }

  @Test
  void aNodeThatJoinsLaterHasSeenWhatTheOthersHad() throws InterruptedException {
    Node one = nodes.join();
    Map<String, Integer> ours = one.map("m");
    ours.put("a", 1);
    Handle handle = one.handle();
    Node two = nodes.join();
    assertThat(two.awaitSeen(handle, LONG)).isTrue();
    assertThat(two.map("m", String.class, Integer.class)).containsEntry("a", 1);
  }

  @Test
  void whoIsInterruptedWaitsNoLonger() throws InterruptedException {
    Node one = nodes.join();
    NodeConfig config = nodes.config();
    Node apart = nodes.join(config.toBuilder().cluster(config.cluster() + "-b").build());
    apart.map("m", String.class, Integer.class).put("a", 1);
    Handle never = apart.handle();

    for (Duration timeout : List.of(Duration.ZERO, LONG)) {
      Thread.currentThread().interrupt();
      assertThatExceptionOfType(InterruptedException.class)
          .isThrownBy(() -> one.awaitSeen(never, timeout));
      assertThat(Thread.interrupted()).isFalse();
    }
    BlockingQueue<String> ended = new LinkedBlockingQueue<>();
    Thread waiting =
        Thread.ofPlatform()
            .start(() -> {
              try {
                ended.add("seen: " + one.awaitSeen(never, Duration.ofDays(1)));
              } catch (InterruptedException interrupted) {
                ended.add("interrupted");
              }
            });
    Eventually.eventually("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
    waiting.interrupt();
    assertThat(ended.poll(30, TimeUnit.SECONDS)).isEqualTo("interrupted");
  }

  @Test
  void whatDoesNotComeIsNotSeenInTime() throws InterruptedException {
    Node one = nodes.join();
    NodeConfig config = nodes.config();
    Node apart = nodes.join(config.toBuilder().cluster(config.cluster() + "-b").build());
    apart.map("m", String.class, Integer.class).put("a", 1);

    assertThat(one.awaitSeen(Handle.NOTHING, Duration.ZERO)).isTrue();
    assertThat(one.awaitSeen(apart.handle(), Duration.ZERO)).isFalse();
    assertThat(one.awaitSeen(apart.handle(), Duration.ofMillis(50))).isFalse();
    one.batch(() ->
        assertThatIllegalStateException().isThrownBy(() -> one.awaitSeen(Handle.NOTHING, LONG)));
  }
}
