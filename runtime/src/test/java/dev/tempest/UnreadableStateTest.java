package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.order.Order;
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
      FreePorts.find(2).stream().map(port -> "127.0.0.1:" + port).toList();

  private LocalNode start(int number, Function<State, Prices> factory) {
    NodeConfig config =
        NodeConfig.builder()
            .listen(addresses.get(number))
            .members(addresses.toArray(String[]::new))
            .multicastPort(0)
            .build();
    ServiceInstance service = ServiceInstance.of(Prices.class, factory);
    return LocalNode.start(config, List.of(new Deployment("prices", service, Order.EVENTUAL)));
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

  private static ServiceStatus service(LocalNode node) throws InterruptedException {
    return node.status().services().stream()
        .filter(each -> each.name().equals("prices"))
        .findFirst()
        .orElseThrow();
  }
}
