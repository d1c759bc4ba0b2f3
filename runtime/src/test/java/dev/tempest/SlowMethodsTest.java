package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.NodeConfig;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.service.Update;
import dev.tempest.service.execution.ServiceInstance;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Methods of a service that compute for long, or never return. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SlowMethodsTest {
  private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(60);

  /** A service that takes its time. */
  public interface Slow {
    /** Computes. */
    @Update
    void compute();

    /** Does not return before the end of the test. */
    @Update
    void hang();
  }

  private final class SlowService implements Slow {
    @Override
    public void compute() {
      long startNanos = System.nanoTime();
      while (System.nanoTime() - startNanos < LONG_NANOS) {
        Thread.onSpinWait();
      }
    }

    @Override
    public void hang() {
      called.countDown();
      try {
        returning.await();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private final CountDownLatch returning = new CountDownLatch(1);
  private final CountDownLatch called = new CountDownLatch(1);
  private final Logged logged = new Logged();

  @AfterEach
  void close() {
    returning.countDown();
    logged.close();
  }

  private TestCluster cluster() throws InterruptedException {
    return TestCluster.of(
        1, false, () -> Map.of("slow", ServiceInstance.of(Slow.class, state -> new SlowService())));
  }

  @Test
  void aMethodThatHoldsTheLoopIsNamed() throws InterruptedException {
    try (TestCluster cluster = cluster();
        FrontEnd frontEnd = cluster.frontEnd()) {
      frontEnd.service(Slow.class).compute();
      eventually("it is named", () -> logged.says("compute of slow took"));
    }
  }

  @Test
  void aMethodThatNeverReturnsKeepsNobodyFromClosing() throws InterruptedException {
    TestCluster cluster = cluster();
    try (FrontEnd frontEnd = cluster.frontEnd()) {
      var unused = frontEnd.async(frontEnd.service(Slow.class), SlowMethodsTest::hang);
      called.await();
      cluster.close();
    }
    assertThat(returning.getCount()).isOne();
    assertThat(logged.records())
        .anySatisfy(each ->
            assertThat(each.getThrown())
                .isNotNull()
                .satisfies(where ->
                    assertThat(where.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("hang"))));
    String address = cluster.servers.getFirst();
    try (LocalNode again =
        LocalNode.start(NodeConfig.builder().listen(address).multicastPort(0).build())) {
      assertThat(again.address()).as("the port is free").isEqualTo(address);
    }
  }

  private static Void hang(Slow service) {
    service.hang();
    return null;
  }
}
