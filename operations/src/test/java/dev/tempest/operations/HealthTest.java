package dev.tempest.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.Registration;
import dev.tempest.admin.NodeHealth;
import dev.tempest.admin.NodeMonitor;
import dev.tempest.admin.NodeVitals;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that takes its time to say how it is. */
@Timeout(60)
final class HealthTest {
  private static final int PROBES = 50;

  private final AtomicInteger asked = new AtomicInteger();
  private final CountDownLatch answering = new CountDownLatch(1);
  private Runnable meanwhile = () -> {};

  /** Asked, it waits; and it is too busy to tell its vitals. */
  private final NodeMonitor monitor =
      new NodeMonitor() {
        @Override
        public String cluster() {
          return "slow";
        }

        @Override
        public List<String> members() {
          meanwhile.run();
          return List.of("127.0.0.1:7400");
        }

        @Override
        public NodeHealth health() {
          asked.incrementAndGet();
          try {
            answering.await();
          } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
          }
          return new NodeHealth(
              false, false, List.of("its event loop has been held for 10 s"), List.of());
        }

        @Override
        public Optional<NodeVitals> vitals() {
          return Optional.empty();
        }

        @Override
        public Map<String, Map<String, Long>> counts() {
          return Map.of();
        }

        @Override
        public Registration tell(String part, Supplier<Map<String, Long>> counts) {
          return () -> {};
        }
      };

  @Test
  void whoLooksWhileTheWatchIsClosedConnectsToNobody() {
    ClusterWatch watch = new ClusterWatch(monitor);
    meanwhile = watch::close;
    assertThatThrownBy(watch::look).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void manyProbesAreOneQuestion() throws InterruptedException {
    AtomicInteger down = new AtomicInteger();
    try (Operations operations = new Operations(monitor)) {
      List<Thread> probes =
          Stream.generate(() ->
                  Thread.ofPlatform()
                      .start(() -> {
                        if (operations.answer("/health/live").status() == Content.UNAVAILABLE) {
                          down.incrementAndGet();
                        }
                      }))
              .limit(PROBES)
              .toList();
      for (Thread probe : probes) {
        while (probe.getState() != Thread.State.WAITING) {
          Thread.onSpinWait();
        }
      }
      answering.countDown();
      for (Thread probe : probes) {
        probe.join();
      }
    }
    assertThat(down).hasValue(PROBES);
    assertThat(asked).as("again only after half a second").hasValueLessThan(PROBES / 2);
  }

  @Test
  void theMetersOfAClosedNodeAreNotThoseOfTheNext() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    answering.countDown();
    NodeMetrics first = new NodeMetrics(monitor);
    first.bindTo(registry);
    double live = registry.get("tempest.live").gauge().value();
    assertThat(live).isZero();
    assertThat(registry.get("tempest.members").gauge().value()).isNaN();
    int before = asked.get();
    first.close();
    assertThat(registry.getMeters()).isEmpty();
    try (NodeMetrics next = new NodeMetrics(monitor)) {
      next.bindTo(registry);
      assertThat(registry.get("tempest.live").gauge().value()).isZero();
      assertThat(asked).as("the next one").hasValueGreaterThan(before);
    }
    assertThat(registry.getMeters()).isEmpty();
  }
}
