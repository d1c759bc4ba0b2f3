package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.service.Reconciliation;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.wire.Call;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Digest;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The claims of section 3.2 of the Tempest paper, in our words, with {@code adopt} and ours. */
final class TempestPaperGossipTest {
  private Cluster cluster = carts(2, Reconcile.ADOPT);

  private static Cluster carts(int size, Reconcile reconcile) {
    return new Cluster(size, reconcile, () -> ServiceInstance.of(Cart.class, CartService::new));
  }

  private void add(long client, long sequence, String item, int count, long... reached) {
    Call call = cluster.call("add", item, count);
    cluster.update(cluster.entry(client, sequence, call), reached);
  }

  private Map<?, ?> counts(long replica) {
    return cluster.map(replica, "counts");
  }

  @ParameterizedTest
  @EnumSource(Reconcile.class)
  @DisplayName("3.2: replicas with the same names in their sets do nothing further")
  void equalReplicasExchangeOneDigestAndNothingElse(Reconcile reconcile) {
    cluster = carts(3, reconcile);
    add(1, 1, "tea", 1, cluster.all());
    cluster.pass(500);
    cluster.sent();
    cluster.pass(500);
    assertThat(cluster.sent()).isNotEmpty().allMatch(message -> message instanceof Digest);
  }

  @ParameterizedTest
  @EnumSource(Reconcile.class)
  @DisplayName("3.2, case 1: whose set is part of the other's fetches the rest")
  void whoLacksOnlyFetches(Reconcile reconcile) {
    cluster = carts(2, reconcile);
    add(1, 1, "tea", 3, 1, 2);
    add(1, 2, "rum", 1, 1);
    cluster.pass(1_000);
    assertThat(counts(2)).isEqualTo(Map.of("tea", 3, "rum", 1)).isEqualTo(counts(1));
  }

  @Nested
  final class Case2SetsOfDifferentSize {
    private void eachLacksSomething() {
      add(1, 1, "tea", 3, 1, 2);
      cluster.update(cluster.entry(2, 1, cluster.call("remove", "tea")), 1);
      add(2, 2, "rum", 1, 1);
      add(3, 1, "ale", 1, 2);
      add(3, 2, "ale", 1, 2);
      add(3, 3, "ale", 1, 2);
      cluster.pass(1_000);
      assertThat(cluster.inStep()).isTrue();
    }

    @Test
    @DisplayName(
        "3.2, case 2: the smaller set's objects are discarded, what it removed resurrected")
    void theSmallerSetGivesUp() {
      eachLacksSomething();
      assertThat(counts(1)).isEqualTo(Map.of("tea", 3, "ale", 3));
    }

    /** An acknowledged update is not to be lost while a replica has it. */
    @Test
    @DisplayName("3.2, case 2: ours: nobody gives anything up")
    void oursKeepsEverything() {
      cluster = carts(2, Reconcile.MERGE);
      eachLacksSomething();
      assertThat(counts(1)).isEqualTo(Map.of("rum", 1, "ale", 3));
    }

    @Test
    @DisplayName("3.2: an upcall tells the service that it was reconciled")
    void theServiceIsTold() {
      eachLacksSomething();
      assertThat(cluster.reconciled(1))
          .singleElement()
          .satisfies(what -> {
            assertThat(what.withdrawn().ids())
                .containsExactly(new Reconciliation.Id(2, 1), new Reconciliation.Id(2, 2));
            assertThat(what.collections()).containsExactly("map 'counts'");
          });
      assertThat(cluster.reconciled(2)).isEmpty();
    }
  }

  @Test
  @DisplayName("3.2, case 3: of sets of one size the replica that began the round gives up")
  void onATieTheInitiatorGivesUp() {
    for (int client = 1; client <= 10; client++) {
      cluster.sent();
      add(client, 1, "one" + client, 1, 1);
      add(-client, 1, "two" + client, 1, 2);
      cluster.pass(1_000);
      assertThat(cluster.inStep()).isTrue();
      List<Message> sent = cluster.sent();
      int want = AdoptionTest.lastWant(sent);
      long initiator = ((Digest) sent.get(want - 2)).replica(); // Then comes what the other has.
      assertThat(counts(1))
          .asInstanceOf(InstanceOfAssertFactories.MAP)
          .containsKey((initiator == 1 ? "two" : "one") + client)
          .doesNotContainKey((initiator == 1 ? "one" : "two") + client);
    }
  }

  /** One replica by the paper's rule: objects and death certificates under the latest name. */
  private record ByObjects(
      Map<String, Integer> objects, Map<String, Integer> names, Set<Integer> w) {
    ByObjects() {
      this(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashSet<>());
    }

    void add(int name, String key, int count) {
      objects.merge(key, count, Integer::sum);
      names.put(key, name);
      w.add(name);
    }

    /** Case 1: fetches the objects with the names that are lacking. */
    void fetch(ByObjects other) {
      other.names.forEach((key, name) -> {
        if (!w.contains(name)) {
          objects.put(key, other.objects.getOrDefault(key, 0));
          names.put(key, name);
        }
      });
      w.addAll(other.w);
    }
  }

  /** One of two replicas missed add(x, 3), and got add(x, 2). */
  @Nested
  final class TheObjectWithAnotherName {
    @Test
    @DisplayName("3.2: objects travel by the names they have; one that has a newer name is missed")
    void byObjectsTheReplicasDifferForEver() {
      var one = new ByObjects();
      var two = new ByObjects();
      one.add(1, "x", 3);
      one.add(2, "x", 2);
      two.add(2, "x", 2);
      two.fetch(one);
      assertThat(two.w()).isEqualTo(one.w());
      assertThat(List.of(one.objects().get("x"), two.objects().get("x"))).containsExactly(5, 2);
    }

    @ParameterizedTest
    @EnumSource(Reconcile.class)
    @DisplayName("3.2: ours: invocations travel, in both modes, and are executed in their place")
    void byInvocationsTheyAgree(Reconcile reconcile) {
      cluster = carts(2, reconcile);
      add(1, 1, "x", 3, 1);
      add(1, 2, "x", 2, 1, 2);
      assertThat(List.of(counts(1), counts(2))).containsExactly(Map.of("x", 5), Map.of("x", 2));
      cluster.pass(1_000);
      assertThat(List.of(counts(1), counts(2))).containsExactly(Map.of("x", 5), Map.of("x", 5));
    }
  }

  @ParameterizedTest
  @EnumSource(Reconcile.class)
  @DisplayName("3.2: when updates end and partitions heal, all replicas have the same")
  void allComeToTheSame(Reconcile reconcile) {
    cluster = carts(5, reconcile);
    for (int sequence = 1; sequence <= 100; sequence++) {
      add(sequence, 1, "item" + sequence % 9, 1, cluster.allBut(1L + sequence % 5));
      cluster.pass(10);
    }
    cluster.silence(5);
    add(101, 1, "left", 1, 1, 2);
    cluster.pass(500);
    cluster.heard(5);
    cluster.pass(5_000);
    assertThat(cluster.inStep()).isTrue();
    assertThat(cluster.allTrue(each -> each.unsettled().isEmpty())).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Reconcile.class)
  @DisplayName("3.2: no process sends more than three messages in a round")
  void aRoundTakesThreeMessagesAProcess(Reconcile reconcile) {
    cluster = carts(2, reconcile);
    for (int client = 1; client <= 20; client++) {
      cluster.pass(1_000);
      cluster.sent();
      add(client, 1, "one", 1, 1);
      add(client, 2, "one", 1, 1);
      add(-client, 1, "two", 1, 2);
      cluster.pass(1_000);
      List<Message> sent = cluster.sent();
      int from = 0;
      while (sent.get(from + 1) instanceof Digest) {
        from++;
      }
      long[] messages = new long[3];
      do {
        messages[(int) ((Message.ReplicaMessage) sent.get(from)).replica()]++;
        from++;
      } while (!(sent.get(from) instanceof Digest));
      assertThat(messages[1]).isBetween(1L, 3L);
      assertThat(messages[2]).isBetween(1L, 3L);
    }
  }

  /** Sums per epoch, and what all have agreed on as one sum. */
  @Test
  @DisplayName("3.2: sets grow for ever, cut by age perhaps; ours: digests do not grow")
  void digestsDoNotGrowWithHistory() {
    int short3Seconds = largestDigest(1, 30);
    int long60Seconds = largestDigest(2, 600);
    assertThat(short3Seconds).isPositive();
    assertThat(long60Seconds).isLessThanOrEqualTo(short3Seconds);
  }

  /** Of a history with one update in each epoch. */
  private int largestDigest(long client, int updates) {
    for (int sequence = 1; sequence <= updates; sequence++) {
      add(client, sequence, "tea", 1, cluster.all());
      cluster.pass(100);
    }
    return cluster.sent().stream()
        .mapToInt(message -> message instanceof Digest digest ? digest.open().size() : 0)
        .max()
        .orElseThrow();
  }

  /** A replica that was away for longer would else come back to names that nobody remembers. */
  @Test
  @DisplayName("3.2: names older than some epochs are dropped; ours: once all have them")
  void namesAreDroppedWhenAllHaveThem() {
    cluster.silence(2);
    add(1, 1, "tea", 1, 1);
    cluster.pass(10_000);
    assertThat(cluster.replica(1).unsettled()).hasSize(1);
    cluster.heard(2);
    cluster.pass(5_000);
    assertThat(counts(2)).isEqualTo(Map.of("tea", 1));
    assertThat(cluster.replica(1).unsettled()).isEmpty();
  }
}
