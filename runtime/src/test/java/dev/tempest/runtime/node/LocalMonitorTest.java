package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.FrontEnd;
import dev.tempest.Node;
import dev.tempest.admin.NodeHealth;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.service.Update;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node whose event loop hangs says so; whoever asks does not hang with it. */
@Timeout(60)
final class LocalMonitorTest {
  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch returning = new CountDownLatch(1);

  /** A service whose method waits. */
  public interface Holding {
    /** Until the test has seen enough; says how many wait for it. */
    @Update
    long hold();
  }

  private long hold() {
    held.countDown();
    try {
      returning.await();
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
    return returning.getCount();
  }

  @Test
  void whoIsHeldForTooLongIsNotLive() throws Exception {
    LocalNode local =
        LocalNode.start(
            NodeConfig.builder()
                .cluster("monitor-" + ProcessHandle.current().pid())
                .listen("127.0.0.1")
                .multicastPort(0)
                .loopback(false)
                .build());
    try (Node node = Node.of(local)) {
      local.awaitActive(Duration.ofMinutes(1));
      node.host(
          "held",
          Holding.class,
          state -> this::hold,
          ServiceOptions.builder().unchecked(LocalMonitorTest.class.getName()).build());
      LocalMonitor monitor = new LocalMonitor(local, Duration.ofMillis(200));
      FrontEnd frontEnd = node.frontEnd();
      var unused = frontEnd.async(frontEnd.service("held", Holding.class), Holding::hold);
      held.await();

      NodeHealth health = monitor.health();
      while (health.live()) { // Each answer takes a second at most.
        assertThat(health.ready()).isFalse();
        health = monitor.health();
      }

      assertThat(health.ready()).isFalse();
      assertThat(health.reasons().getFirst()).startsWith("its event loop has been held for ");
      returning.countDown();
      while (!monitor.health().ready()) {
        Thread.onSpinWait();
      }
    } finally {
      returning.countDown();
    }
  }
}
