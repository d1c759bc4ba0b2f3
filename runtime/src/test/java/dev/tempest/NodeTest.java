package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tempest.config.CollectionConfig;
import dev.tempest.config.NodeConfig;
import dev.tempest.runtime.Eventually;
import dev.tempest.state.Counter;
import dev.tempest.state.Merge;
import dev.tempest.values.UnsupportedTypeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes with real sockets, several of them in one JVM. */
@Timeout(60)
final class NodeTest {
  /** A cart, as applications have them. */
  record Cart(String owner, int items) {}

  /** A key of an application. */
  record CartKey(String shop, int number) {}

  @AutoClose private final JoinedNodes nodes = new JoinedNodes();

  @Test
  void twoLinesAreEnough() {
    Map<String, Cart> carts = nodes.join().map("carts");
    carts.put("alice", new Cart("alice", 3));
    assertThat(carts).containsExactly(Map.entry("alice", new Cart("alice", 3)));
  }

  @Test
  void aNodeThatJoinsHasWhatTheOthersHave() {
    Map<String, Cart> ours = nodes.join().map("carts");
    for (int i = 0; i < 1_000; i++) {
      ours.put("k" + i, new Cart("o", i));
    }
    Map<String, Cart> theirs = nodes.join().map("carts");
    assertThat(theirs).hasSize(1_000);
    assertThat(List.copyOf(theirs.entrySet())).isEqualTo(List.copyOf(ours.entrySet()));
  }

  @Test
  void whatOneWritesTheOthersSee() {
    Node one = nodes.join();
    Node two = nodes.join();
    Map<String, Cart> ours = one.map("carts");
    Map<String, Cart> theirs = two.map("carts");
    ours.put("alice", new Cart("alice", 3));
    await(() -> theirs.containsKey("alice"));
    theirs.remove("alice");
    await(() -> ours.isEmpty());
  }

  @Test
  void aCollectionIsDeclaredWheneverItIsNeeded() throws InterruptedException {
    Node one = nodes.join();
    Node two = nodes.join();
    one.map("carts", CartKey.class, Cart.class).put(new CartKey("s", 1), new Cart("alice", 3));
    one.counter("visits").add(5);
    await(() -> two.counter("visits").get() == 5);
    assertThat(two.map("carts", CartKey.class, Cart.class))
        .containsEntry(new CartKey("s", 1), new Cart("alice", 3));
  }

  @Test
  void whatLiesWithinCollectionsIsDeclaredToo() {
    Node one = nodes.join();
    Node two = nodes.join();
    Map<String, List<Cart>> ours = one.map("history", String.class, List.class, Cart.class);
    ours.put("alice", List.of(new Cart("alice", 1), new Cart("alice", 2)));
    Map<String, Object> undeclared = two.map("history");
    await(() -> undeclared.size() == 1);
    assertThatIllegalStateException()
        .isThrownBy(() -> undeclared.get("alice"))
        .withMessageContaining("not declared");
    Map<String, List<Cart>> theirs = two.map("history", String.class, List.class, Cart.class);
    assertThat(theirs.get("alice")).containsExactly(new Cart("alice", 1), new Cart("alice", 2));
  }

  @Test
  void aKeyOfAnUndeclaredClassIsRefusedWithAdvice() {
    Map<Object, Cart> carts = nodes.join().map("carts");
    assertThatExceptionOfType(UnsupportedTypeException.class)
        .isThrownBy(() -> carts.put(new CartKey("s", 1), new Cart("alice", 3)))
        .withMessageContaining(CartKey.class.getName());
    assertThat(carts).isEmpty();
  }

  @Test
  void aLimitedDequeKnowsTheClassesInsideItsElements() {
    BlockingDeque<List<Cart>> queue = nodes.join().boundedDeque("queue", 1, List.class, Cart.class);
    assertThat(queue.offer(List.of(new Cart("alice", 1)))).isTrue();
    assertThat(queue.offer(List.of(new Cart("bob", 1)))).isFalse();
    assertThat(queue.poll()).containsExactly(new Cart("alice", 1));
  }

  @Test
  void oneNameIsOneKindOfCollection() {
    Node node = nodes.join();
    node.map("carts", String.class, String.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> node.<String>set("carts"))
        .withMessageContaining("map 'carts'");
  }

  @Test
  void aBatchCountsAsAWhole() {
    Node node = nodes.join();
    Map<String, Integer> stock = node.map("stock");
    Counter sold = node.counter("sold");
    stock.put("pear", 3);
    int left =
        node.batch(() -> {
          sold.increment();
          stock.merge("pear", -1, Integer::sum);
          return stock.getOrDefault("pear", 0); // It reads its own writes.
        });
    assertThat(left).isEqualTo(2);
    assertThat(sold.get()).isEqualTo(1);

    assertThatIllegalStateException()
        .isThrownBy(() ->
            node.batch(() -> {
              sold.increment();
              stock.clear();
              throw new IllegalStateException("no");
            }))
        .withMessage("no");
    assertThat(sold.get()).isEqualTo(1);
    assertThat(stock).containsEntry("pear", 2);
  }

  @Test
  void aBatchWithinABatchThatFailsTakesItAlong() {
    Node node = nodes.join();
    Counter sold = node.counter("sold");
    assertThatIllegalStateException()
        .isThrownBy(() ->
            node.batch(() -> {
              sold.increment();
              try {
                node.batch(
                    (Runnable)
                        () -> {
                          sold.increment();
                          throw new IllegalArgumentException();
                        });
              } catch (IllegalArgumentException swallowed) {
                sold.increment();
              }
            }))
        .withMessageContaining("a nested batch failed");
    assertThat(sold.get()).isZero();
    sold.increment();
    assertThat(sold.get()).isEqualTo(1);
  }

  @Test
  void otherThreadsAndNodesSeeABatchWholeOrNotAtAll() throws InterruptedException {
    Node one = nodes.join();
    Node two = nodes.join();
    Map<String, Integer> ours = one.map("accounts");
    Map<String, Integer> theirs = two.map("accounts");
    one.batch(() -> {
      ours.put("a", 1_000);
      ours.put("b", 0);
    });
    await(() -> theirs.size() == 2);
    Thread writer =
        new Thread(() -> {
          for (int i = 0; i < 1_000; i++) {
            one.batch(() -> {
              ours.merge("a", -1, Integer::sum);
              ours.merge("b", 1, Integer::sum);
            });
          }
        });
    writer.start();
    while (theirs.getOrDefault("b", 0) < 1_000) {
      for (Map<String, Integer> each : List.of(ours, theirs)) {
        int sum = 0;
        for (int amount : each.values()) { // An iterator has one version.
          sum += amount;
        }
        assertThat(sum).isEqualTo(1_000);
      }
    }
    writer.join();
  }

  @Test
  void timeAndRandomNumbersAreThoseOfABatch() {
    Node node = nodes.join();
    assertThatIllegalStateException().isThrownBy(node::action).withMessageContaining("batch()");
    node.batch(() -> {
      assertThat(node.action().now()).isEqualTo(node.action().now());
      assertThat(node.action().random().nextInt(10)).isBetween(0, 9);
    });
  }

  @Test
  void incrementsAndMergesOfAllAddUp() throws InterruptedException {
    List<Node> three = List.of(nodes.join(), nodes.join(), nodes.join());
    List<Thread> threads = new ArrayList<>();
    for (Node node : three) {
      Thread thread =
          new Thread(() -> {
            Counter visits = node.counter("visits");
            Map<String, Long> pages = node.map("pages");
            for (int i = 0; i < 500; i++) {
              visits.increment();
              pages.merge("home", 1L, Merge.sum());
            }
          });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (Node node : three) {
      Map<String, Long> pages = node.map("pages");
      await(() -> node.counter("visits").get() == 1_500);
      await(() -> pages.getOrDefault("home", 0L) == 1_500);
    }
  }

  @Test
  void entriesLiveAsConfigured() {
    NodeConfig limited =
        nodes.config().toBuilder()
            .collection(
                "short-*", CollectionConfig.builder().timeToLive(Duration.ofMillis(200)).build())
            .build();
    Node one = nodes.join(limited);
    Node two = nodes.join();
    Map<String, Integer> ours = one.map("short-lived");
    Map<String, Integer> theirs = two.map("short-lived");
    await(() -> {
      ours.put("a", 1); // On a busy machine it may be over before it is seen.
      return theirs.containsKey("a");
    });
    await(() -> ours.isEmpty() && theirs.isEmpty());
  }

  @Test
  void whoLeavesIsNoMemberAnyMore() {
    Node one = nodes.join();
    Node two = nodes.join();
    await(() -> one.members().size() == 2 && two.members().size() == 2);
    two.map("m", String.class, Integer.class).put("last words", 1);
    two.close();
    await(() -> one.members().size() == 1);
    assertThat(one.map("m", String.class, Integer.class)).containsEntry("last words", 1);
  }

  @Test
  void aClosedNodeIsReadAndNotWritten() {
    Node node = nodes.join();
    Map<String, Integer> map = node.map("m");
    map.put("a", 1);
    node.close();
    node.close();
    assertThat(map).containsEntry("a", 1);
    assertThatIllegalStateException()
        .isThrownBy(() -> map.put("b", 1))
        .withMessageContaining("the node is closed");
  }

  @Test
  void readsOfAClosedNodeUseNothing() {
    Node node =
        nodes.join(
            nodes.config().toBuilder()
                .collection("m", CollectionConfig.builder().idle(Duration.ofMillis(400)).build())
                .build());
    Map<String, Integer> map = node.map("m");
    map.put("a", 1);
    map.put("b", 1);
    node.close();

    await(() -> {
      map.get("a"); // Nobody writes any more that it was used.
      return !map.containsKey("a") && map.get("a") == null && map.isEmpty();
    });
    assertThat(map.keySet()).isEmpty();
  }

  @Test
  void aClosedNodeKnowsItsLastMembersAndOpensNoFrontEnd() {
    Node other = nodes.join();
    Node node = nodes.join();
    await(() -> node.members().size() == 2);
    node.close();
    await(() -> other.members().size() == 1);
    other.close();
    assertThat(node.members())
        .containsExactly(node.members().getFirst(), other.members().getFirst());
    assertThatIllegalStateException()
        .isThrownBy(node::frontEnd)
        .withMessage("the node is closed: open front-ends before");
  }

  @Test
  void aValueTooLargeIsRefusedAndNothingIsWritten() {
    Map<String, String> map = nodes.join().map("m");
    map.put("a", "small");
    assertThatExceptionOfType(RuntimeException.class)
        .isThrownBy(() -> map.put("a", "x".repeat(20 << 20)))
        .withMessageContaining("16777216");
    assertThat(map).containsEntry("a", "small");
  }

  private static void await(Callable<Boolean> condition) {
    Eventually.eventually("what one does the other sees", condition);
  }
}
