package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.NodeConfig;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.service.Update;
import dev.tempest.service.execution.ServiceInstance;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A method of a service that never returns. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HangingMethodTest {

  /** A service with such a method. */
  public interface Hanging {
    /** Does not return before the end of the test. */
    @Update
    void hang();
  }

  private final class HangingService implements Hanging {
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
        1,
        false,
        () -> Map.of("hanging", ServiceInstance.of(Hanging.class, state -> new HangingService())));
  }

  @Test
  void aMethodThatNeverReturnsKeepsNobodyFromClosing() throws InterruptedException {
    TestCluster cluster = cluster();
    try (FrontEnd frontEnd = cluster.frontEnd()) {
      var unused = frontEnd.async(frontEnd.service(Hanging.class), HangingMethodTest::hang);
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

  @Test
  void aMethodThatNeverReturnsIsNamedMeanwhile() throws InterruptedException {
    try (TestCluster cluster = cluster();
        FrontEnd frontEnd = cluster.frontEnd()) {
      var unused = frontEnd.async(frontEnd.service(Hanging.class), HangingMethodTest::hang);
      called.await();
      eventually("it is named", () -> logged.says("In hanging, method hang has not returned for"));
      assertThat(logged.records())
          .anySatisfy(each ->
              assertThat(each.getThrown())
                  .isNotNull()
                  .satisfies(where ->
                      assertThat(where.getStackTrace())
                          .anyMatch(frame -> frame.getMethodName().equals("hang"))));
      returning.countDown();
    }
  }

  private static Void hang(Hanging service) {
    service.hang();
    return null;
  }
}
