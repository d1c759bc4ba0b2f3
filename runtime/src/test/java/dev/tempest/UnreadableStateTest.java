package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.order.Order;
import dev.tempest.protocol.order.Order.ByConsensus.Executes;
import dev.tempest.runtime.FreePorts;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.runtime.service.Deployment;
import dev.tempest.service.Update;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.State;
import dev.tempest.wire.Message.ServiceStatus;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server joins that declares other classes than the state of its service holds. */
@Timeout(60)
final class UnreadableStateTest {
  /** What things cost. */
  public interface Prices {
    /** Sets a price; how many there are. */
    @Update
    int set(String thing, long cents);
  }

  record Price(long cents) {}

  record PriceInWords(String cents) {}

  private record PricesService<V>(Map<String, V> prices, Function<Long, V> make) implements Prices {
    @Override
    public int set(String thing, long cents) {
      prices.put(thing, make.apply(cents));
      return prices.size();
    }
  }

  private final List<String> addresses =
      FreePorts.find(3).stream().map(port -> "127.0.0.1:" + port).toList();

  private LocalNode start(int number, Function<State, Prices> factory) {
    return start(number, factory, Order.EVENTUAL);
  }

  private LocalNode start(int number, Function<State, Prices> factory, Order order) {
    NodeConfig config =
        NodeConfig.builder()
            .listen(addresses.get(number))
            .members(addresses.toArray(String[]::new))
            .multicastPort(0)
            .build();
    ServiceInstance service = ServiceInstance.of(Prices.class, factory);
    return LocalNode.start(config, List.of(new Deployment("prices", service, order)));
  }

  private static Prices inCents(State state) {
    return new PricesService<>(state.map("prices", String.class, Price.class), Price::new);
  }

  private static Prices inWords(State state) {
    return new PricesService<>(
        state.map("prices", String.class, PriceInWords.class),
        cents -> new PriceInWords(cents + " cents"));
  }

  @Test
  void itStopsLoudlyAndTheOthersGoOn() throws InterruptedException {
    FrontEndConfig asks = FrontEndConfig.builder(addresses.getFirst()).multicastPort(0).build();
    try (Logged logged = new Logged();
        LocalNode one = start(0, UnreadableStateTest::inCents);
        FrontEnd frontEnd = FrontEnd.connect(asks)) {
      assertThat(one.awaitActive(TestCluster.PATIENCE)).isTrue();
      Prices prices = frontEnd.service(Prices.class);
      assertThat(prices.set("tea", 250)).isOne();
      eventually("settled", () -> service(one).unsettled() == 0);
      try (LocalNode other = start(1, UnreadableStateTest::inWords)) {
        assertThat(other.awaitEnd()).isPresent();
        assertThat(logged.records())
            .anyMatch(each ->
                each.getLevel().equals(Level.SEVERE)
                    && each.getMessage().contains("keep the state"));
        assertThat(logged.texts())
            .anySatisfy(text ->
                assertThat(text)
                    .contains("The replica of prices in this process stopped")
                    .contains("map 'prices' holds a " + Price.class.getName())
                    .contains(PriceInWords.class.getName()));
        assertThat(prices.set("coffee", 300)).isEqualTo(2);
        assertThat(one.awaitActive(TestCluster.PATIENCE)).isTrue();
        assertThat(service(one).active()).isTrue();
      }
      assertThat(prices.set("milk", 100)).isEqualTo(3);
    }
  }

  /** No bug, and no word of one: neither an update that it cannot apply, nor one that it can. */
  @ParameterizedTest
  @EnumSource
  void soItDoesWhereAllAgreeOnEachUpdate(Executes executes) throws Exception {
    Order order =
        new Order.ByConsensus(
            executes, Order.ByConsensus.Reads.LINEARIZABLE, Order.ByConsensus.Log.MEMORY);
    try (LocalNode one = start(0, UnreadableStateTest::inCents, order);
        LocalNode two = start(1, UnreadableStateTest::inCents, order);
        FrontEnd frontEnd = new FrontEnd(one.client())) {
      Prices prices = frontEnd.service(Prices.class);
      try (LocalNode three = start(2, UnreadableStateTest::inCents, order)) {
        for (LocalNode each : List.of(one, two, three)) {
          assertThat(each.awaitActive(TestCluster.PATIENCE)).isTrue();
        }
        assertThat(prices.set("tea", 250)).isOne();
      }
      try (Logged logged = new Logged();
          LocalNode other = start(2, UnreadableStateTest::inWords, order)) {
        assertThatThrownBy(() -> other.awaitActive(TestCluster.PATIENCE))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("The replica of prices in this process stopped")
            .hasMessageContaining("map 'prices' holds a " + Price.class.getName())
            .hasMessageContaining("Declare what the state holds");
        assertThat(logged.texts())
            .noneMatch(text -> text.contains("a bug"))
            .noneMatch(text -> text.contains("prices is not deterministic"));
        try (FrontEnd only = new FrontEnd(other.client())) {
          Prices stopped = only.service(Prices.class);
          assertThatThrownBy(() -> stopped.set("coffee", 300))
              .isInstanceOf(UnableException.class)
              .hasMessageContaining("The replica of prices in this process stopped");
        }
        assertThat(prices.set("coffee", 300)).isEqualTo(2);
      }
    }
  }

  private static ServiceStatus service(LocalNode node) throws InterruptedException {
    return node.status().services().stream()
        .filter(each -> each.name().equals("prices"))
        .findFirst()
        .orElseThrow();
  }
}
