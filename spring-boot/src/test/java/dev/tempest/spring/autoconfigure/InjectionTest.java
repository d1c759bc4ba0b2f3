package dev.tempest.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.Node;
import dev.tempest.spring.Tempest;
import dev.tempest.state.Counter;
import dev.tempest.state.TimedMap;
import dev.tempest.state.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Collections are injected wherever Spring injects beans. */
@Timeout(60)
final class InjectionTest {
  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  TempestAutoConfiguration.class, TempestHealthAutoConfiguration.class))
          .withPropertyValues(
              "tempest.cluster=injection-" + ProcessHandle.current().pid(),
              "tempest.listen=127.0.0.1");

  record Cart(String customer, List<String> items) {}

  static final class Shop {
    @Autowired
    @Tempest("field")
    private ConcurrentMap<String, Cart> field;

    private final Map<Long, Cart> map;
    private final List<Object> all = new ArrayList<>();

    Shop(
        @Tempest("map") Map<Long, Cart> map,
        @Tempest("timed") TimedMap<String, Integer> timed,
        @Tempest("nested") Map<String, List<Cart>> nested,
        @Tempest("sorted") NavigableMap<String, Integer> sorted,
        @Tempest("set") Set<String> set,
        @Tempest("sorted-set") SortedSet<String> sortedSet,
        @Tempest("list") List<Cart> list,
        @Tempest("queue") Queue<Cart> queue,
        @Tempest("deque") BlockingDeque<Cart> deque,
        @Tempest("value") Value<Cart> value,
        @Tempest("counter") Counter counter) {
      this.map = map;
      all.addAll(
          List.of(timed, nested, sorted, set, sortedSet, list, queue, deque, value, counter));
      nested.put("alice", List.of(new Cart("alice", List.of("apple"))));
      list.add(new Cart("bob", List.of()));
      counter.increment();
    }
  }

  @Test
  void theTypeSaysWhichKindItIs() {
    application
        .withBean(Shop.class)
        .run(context -> {
          Node node = context.getBean(Node.class);
          Shop shop = context.getBean(Shop.class);
          Cart cart = new Cart("alice", List.of("apple"));
          shop.field.put("alice", cart);
          shop.map.put(1L, cart);
          assertThat(node.<String, Cart>map("field", String.class, Cart.class))
              .containsEntry("alice", cart);
          assertThat(node.<Long, Cart>map("map", Long.class, Cart.class)).containsEntry(1L, cart);
          assertThat(shop.all).hasSize(10).doesNotContainNull();
        });
  }

  static final class WithoutClasses {
    WithoutClasses(@Tempest("map") Map<String, ?> map) {
      assertThat(map).isNull();
    }
  }

  static final class OfAnotherKind {
    OfAnotherKind(@Tempest("map") Comparable<String> map) {
      assertThat(map).isNull();
    }
  }

  @Test
  void whatIsNoCollectionOfTheNodeIsRefused() {
    application
        .withBean(WithoutClasses.class)
        .run(context ->
            assertThat(context)
                .getFailure()
                .hasRootCauseInstanceOf(IllegalArgumentException.class)
                .rootCause()
                .hasMessageContaining("does not say the classes of its keys and values"));
    application
        .withBean(OfAnotherKind.class)
        .run(context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("the collection map cannot be a java.lang.Comparable"));
  }

  @Test
  void theNodeIsHealthyUntilItIsClosed() {
    application.run(context -> {
      NodeHealthIndicator health = context.getBean(NodeHealthIndicator.class);
      assertThat(health.health().getStatus()).isEqualTo(Status.UP);
      assertThat(health.health().getDetails()).containsEntry("members", 1);
      context.getBean(Node.class).close();
      assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
      assertThat(health.health().getDetails()).containsKey("reasons");
    });
    application
        .withPropertyValues("management.health.tempest.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(NodeHealthIndicator.class));
  }

  @Test
  void theHealthOfANodeThatIsAloneNamesTheSeedsThatAreSilent() {
    application
        .withPropertyValues("tempest.seeds=127.0.0.1:9")
        .run(context -> {
          NodeHealthIndicator health = context.getBean(NodeHealthIndicator.class);
          while (context.getBean(Node.class).monitor().health().warnings().isEmpty()) {
            Thread.onSpinWait(); // They are looked up.
          }
          assertThat(health.health().getStatus()).isEqualTo(Status.UP);
          assertThat(health.health().getDetails())
              .containsEntry(
                  "warnings",
                  List.of(
                      "it is alone in its cluster: nobody has answered from its seeds"
                          + " [127.0.0.1:9]"));
        });
  }

  @Test
  void anApplicationMayHaveANodeOfItsOwn() {
    Node own =
        dev.tempest.Tempest.join(
            dev.tempest.config.NodeConfig.builder()
                .cluster("own-" + ProcessHandle.current().pid())
                .listen("127.0.0.1")
                .build());
    application
        .withBean(Node.class, () -> own)
        .run(context -> assertThat(context.getBean(Node.class)).isSameAs(own));
    assertThatThrownBy(own::frontEnd).isInstanceOf(IllegalStateException.class);
  }
}
