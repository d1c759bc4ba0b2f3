package dev.tempest.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.examples.balancer.Balancer;
import dev.tempest.runtime.FreePorts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The shop behind its balancer, as its README starts it. Whatever happens to an instance, the
 * others have what was answered.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class InstancesUnderLoadTest {
  private static final String CLUSTER = "shop-" + ProcessHandle.current().pid();
  private static final int CUSTOMERS = 2;
  private static final int MORE_ANSWERS = 25;
  private static final List<Integer> PORTS = FreePorts.find(4);
  private static final int BALANCER_PORT = PORTS.getFirst();

  private static final List<ShopProcess> INSTANCES = new ArrayList<>();
  private static Balancer balancer;

  @BeforeAll
  static void start() throws Exception {
    for (int port : PORTS.subList(1, PORTS.size())) {
      INSTANCES.add(ShopProcess.start(port, CLUSTER));
    }
    for (ShopProcess each : INSTANCES) {
      each.awaitStarted();
    }
    balancer = new Balancer(BALANCER_PORT, PORTS.subList(1, PORTS.size()));
  }

  @AfterAll
  static void stop() {
    INSTANCES.forEach(ShopProcess::close);
    if (balancer != null) {
      balancer.close();
    }
  }

  private static List<Browser> browsers() {
    return INSTANCES.stream().map(each -> new Browser(each.port())).toList();
  }

  @Test
  void aProductIsThereAtEveryInstance() throws Exception {
    List<Browser> browsers = browsers();
    String apple = "{\"name\":\"apple\",\"cents\":30}";
    assertThat(browsers.getFirst().ask("PUT", "/products/1?name=apple&cents=30")).isEqualTo(apple);
    for (Browser each : browsers) {
      while (!each.ask("GET", "/products").contains(apple)) {
        Thread.onSpinWait();
      }
    }
    browsers.forEach(Browser::close);
  }

  @Test
  void theStockIsCountedOnceWhoeverIsAsked() throws Exception {
    List<Browser> browsers = browsers();
    for (Browser each : browsers) {
      each.ask("POST", "/stock/apple?count=3");
    }
    for (Browser each : browsers) {
      while (!each.ask("GET", "/stock/apple").equals(String.valueOf(3 * browsers.size()))) {
        Thread.onSpinWait();
      }
    }
    browsers.forEach(Browser::close);
  }

  @Test
  void noRequestFailsAndNoSessionIsLost() throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    List<Customer> customers =
        Stream.generate(() -> new Customer(BALANCER_PORT, isOver)).limit(CUSTOMERS).toList();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> answered = customers.stream().map(threads::submit).toList();
      try {
        awaitAnswers(customers);
        redeploy();
        awaitAnswers(customers);
        INSTANCES.removeLast().kill();
        awaitAnswers(customers);
      } finally {
        isOver.set(true);
      }
      for (Future<Integer> each : answered) {
        assertThat(each.get(1, TimeUnit.MINUTES)).isGreaterThan(3 * MORE_ANSWERS);
      }
    }
  }

  /** The first one is told to stop, and started again. */
  private static void redeploy() throws Exception {
    ShopProcess old = INSTANCES.removeFirst();
    old.stop();
    INSTANCES.addFirst(ShopProcess.start(old.port(), CLUSTER));
    INSTANCES.getFirst().awaitStarted();
  }

  /** So that what happens next, happens under load, and the load goes on after it. */
  private static void awaitAnswers(List<Customer> customers) throws InterruptedException {
    for (Customer each : customers) {
      assertThat(each.awaitAnswers(MORE_ANSWERS)).isTrue();
    }
  }
}
