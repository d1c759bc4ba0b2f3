package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Stamp;
import dev.tempest.service.Reconciliation;
import dev.tempest.service.Reconciliation.Updates;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Digest;
import dev.tempest.wire.Message.Have;
import dev.tempest.wire.Message.Want;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Replicas of which one gives up what the other lacks. */
final class AdoptionTest {
  /** Until what was sent has arrived unless it is lost, and all have gossiped. */
  private static final int LONG_MILLIS = 1_000;

  private Cluster cluster = carts(2);

  private static Cluster carts(int size) {
    return new Cluster(
        size, Reconcile.ADOPT, () -> ServiceInstance.of(Cart.class, CartService::new));
  }

  private Entry add(long client, long sequence, String item, int count) {
    return cluster.entry(client, sequence, cluster.call("add", item, count));
  }

  private Map<?, ?> counts(long replica) {
    return cluster.map(replica, "counts");
  }

  @Test
  void whoeverLacksOnlyTakesWhatItLacksAndNothingIsGivenUp() {
    cluster.update(add(1, 1, "tea", 3), cluster.all());
    cluster.update(add(1, 2, "tea", 2), 1);
    cluster.update(add(2, 1, "rum", 1), 1);
    cluster.pass(LONG_MILLIS);
    assertThat(cluster.inStep()).isTrue();
    assertThat(counts(2)).isEqualTo(Map.of("tea", 5, "rum", 1));
  }

  @Test
  void theSmallerSetIsGivenUpWhoeverBegins() {
    for (int client = 1; client <= 20; client++) {
      boolean many = client % 2 == 0;
      cluster.update(add(client, 1, "many", 1), many ? 1 : 2);
      cluster.update(add(client, 2, "many", 1), many ? 1 : 2);
      Entry less = add(client + 100, 1, "few", 1);
      cluster.update(less, many ? 2 : 1);
      cluster.pass(LONG_MILLIS);
      assertThat(cluster.inStep()).isTrue();
      assertThat(counts(1)).isEqualTo(Map.of("many", 2 * client));
      assertThat(cluster.allTrue(each -> each.hasExecuted(less.id()))).isFalse();
    }
  }

  @Test
  void ofEquallyManyTheOneThatBeginsGivesUp() {
    for (int client = 1; client <= 20; client++) {
      cluster.sent();
      cluster.update(add(client, 1, "one" + client, 1), 1);
      cluster.update(add(-client, 1, "two" + client, 1), 2);
      cluster.pass(LONG_MILLIS);
      assertThat(cluster.inStep()).isTrue();
      long gaveUp = counts(1).containsKey("one" + client) ? 2 : 1;
      List<Message> sent = cluster.sent();
      int want = lastWant(sent);
      assertThat(sent.get(want - 2))
          .isInstanceOfSatisfying(
              Digest.class, digest -> assertThat(digest.replica()).isEqualTo(gaveUp));
      assertThat(sent.get(want))
          .isInstanceOfSatisfying(
              Want.class, wanted -> assertThat(wanted.replica()).isEqualTo(gaveUp));
    }
    assertThat(counts(1)).hasSize(20);
  }

  /** The one that was answered. */
  static int lastWant(List<Message> messages) {
    int at = messages.size() - 1;
    while (!(messages.get(at) instanceof Want)) {
      at--;
    }
    return at;
  }

  @Test
  void whatAGivenUpUpdateOverwroteOrRemovedIsThereAgainAndWhatItAddedIsGone() {
    cluster.update(add(1, 1, "tea", 3), cluster.all());
    cluster.update(add(1, 2, "rum", 4), cluster.all());
    cluster.update(cluster.entry(2, 1, cluster.call("remove", "tea")), 1);
    cluster.update(cluster.entry(2, 2, cluster.call("update", "rum", 7)), 1);
    cluster.update(add(2, 3, "ale", 1), 1);
    for (int sequence = 1; sequence <= 4; sequence++) {
      cluster.update(add(3, sequence, "gin", 1), 2);
    }
    assertThat(counts(1)).isEqualTo(Map.of("rum", 7, "ale", 1));
    cluster.pass(LONG_MILLIS);
    assertThat(cluster.inStep()).isTrue();
    assertThat(counts(1)).isEqualTo(Map.of("tea", 3, "rum", 4, "gin", 4));
  }

  @Test
  void aClientThatSendsAGivenUpUpdateAgainHasItExecutedAgain() {
    Entry lost = add(1, 1, "rum", 1);
    cluster.update(lost, 1);
    cluster.update(add(2, 1, "tea", 1), 2);
    cluster.update(add(2, 2, "tea", 1), 2);
    cluster.pass(500);
    assertThat(counts(1)).isEqualTo(Map.of("tea", 2));
    assertThat(cluster.update(lost, 1)).hasSize(1).allMatch(Answer.Returned.class::isInstance);
    cluster.pass(LONG_MILLIS);
    assertThat(counts(2)).isEqualTo(Map.of("tea", 2, "rum", 1));
    assertThat(cluster.inStep()).isTrue();
  }

  @Test
  void aThirdReplicaThatHasAGivenUpUpdateBringsItBack() {
    cluster = carts(3);
    cluster.silence(3);
    Entry lost = add(1, 1, "rum", 1);
    List<Entry> others = List.of(add(2, 1, "tea", 1), add(2, 2, "tea", 1));
    cluster.update(lost, 1);
    others.forEach(entry -> cluster.update(entry, 2));
    cluster.pass(500);
    assertThat(counts(1)).isEqualTo(Map.of("tea", 2));
    cluster.heard(3);
    cluster.update(lost, 3);
    others.forEach(entry -> cluster.update(entry, 3));
    cluster.pass(LONG_MILLIS);
    assertThat(counts(1)).isEqualTo(Map.of("tea", 2, "rum", 1));
    assertThat(cluster.inStep()).isTrue();
  }

  /** What one of two replicas decides, step by step. */
  @Nested
  final class Deciding {
    private static final long OTHER = 2;

    private final ReplicaClock clock =
        new ReplicaClock(
            ReplicaSettings.Timing.USUAL,
            Stamp.AHEAD_MAX_MILLIS,
            new Window(
                ServiceInstance.of(Cart.class, CartService::new),
                100,
                ReplicaSettings.Memory.USUAL,
                epoch -> {}),
            new Stability(List.of(OTHER)),
            0);
    private final Adoption adoption = new Adoption(Reconcile.ADOPT, clock);
    private final Entry ours = add(1, 1, "rum", 1);
    private final Entry theirs = add(2, 1, "tea", 1);

    private Adoption.Step intend() {
      return adoption.about(
          OTHER,
          new AntiEntropy.Comparison(set(ours), set(theirs), List.of(), List.of(), List.of()));
    }

    private IdSet set(Entry entry) {
      IdSet set = new IdSet();
      set.add(entry.id());
      return set;
    }

    private boolean givesUpFor(long replica, Entry entry) {
      return !adoption
          .givenUpFor(new Message.Repair(Cluster.SERVICE, replica, List.of(entry)))
          .isEmpty();
    }

    @Test
    void nothingIsGivenUpBeforeWhatItIsGivenUpForHasCome() {
      assertThat(intend()).isEqualTo(Adoption.Step.TAKE_THEIRS);
      assertThat(givesUpFor(3, theirs)).isFalse();
      assertThat(givesUpFor(OTHER, add(3, 1, "ale", 1))).isFalse();
      assertThat(givesUpFor(OTHER, theirs)).isTrue();
      assertThat(givesUpFor(OTHER, theirs)).isFalse();
    }

    @Test
    void ofTwoThatWouldGiveUpForEachOtherNeitherDoes() {
      intend();
      adoption.wanted(new Want(Cluster.SERVICE, OTHER, set(ours).toList()));
      assertThat(givesUpFor(OTHER, theirs)).isFalse();
    }

    @Test
    void whatWasOnItsWayForTooLongIsNoReasonAnyMore() {
      intend();
      clock.advance(2_000 * Cluster.MILLI);
      assertThat(givesUpFor(OTHER, theirs)).isFalse();
    }
  }

  @Test
  void whatHasSettledIsNotGivenUp() {
    cluster.update(add(1, 1, "rum", 1), cluster.all());
    cluster.pass(5_000);
    assertThat(cluster.replica(1).unsettled()).isEmpty();
    cluster.update(add(1, 2, "ale", 1), 1);
    cluster.update(add(2, 1, "tea", 1), 2);
    cluster.update(add(2, 2, "tea", 1), 2);
    cluster.pass(5_000);
    assertThat(counts(1)).isEqualTo(Map.of("rum", 1, "tea", 2));
    assertThat(cluster.replica(1).unsettled()).isEmpty();
  }

  @Test
  void whoGivesUpSettlesNothingByWhatAnotherOneShowedBefore() {
    cluster = carts(3);
    long epochMillis = (cluster.nowNanos / Cluster.MILLI / 100 + 1) * 100;
    cluster.update(cluster.entry(1, 1, epochMillis, cluster.call("add", "rum", 1)), 1, 2);
    for (int sequence = 1; sequence <= 2; sequence++) {
      cluster.update(
          cluster.entry(2, sequence, epochMillis + 500, cluster.call("add", "tea", 1)), 3);
    }
    cluster.silence(3);
    cluster.pass(4_000);
    cluster.heard(3);
    cluster.silence(2); // It has shown that it has what is given up now.
    cluster.pass(2_000);
    assertThat(counts(1)).isEqualTo(Map.of("tea", 2));
    assertThat(cluster.replica(1).status("").settledEpoch()).isLessThan(epochMillis / 100);
    cluster.heard(2);
    cluster.pass(5_000);
    assertThat(counts(1)).isEqualTo(Map.of("tea", 2));
    assertThat(cluster.inStep()).isTrue();
  }

  @Test
  void nothingIsGivenUpForUpdatesThatAreStillOnTheirWay() {
    Entry one = add(1, 1, "rum", 1);
    Entry other = add(2, 1, "tea", 1);
    for (int times = 0; times < 20; times++) {
      cluster.update(one, 1);
      cluster.update(other, 2);
      cluster.pass(40);
      cluster.update(one, 2);
      cluster.update(other, 1);
      one = add(1, times + 2, "rum", 1);
      other = add(2, times + 2, "tea", 1);
    }
    cluster.pass(LONG_MILLIS);
    assertThat(counts(1)).isEqualTo(Map.of("rum", 20, "tea", 20));
    assertThat(cluster.sent()).noneMatch(Have.class::isInstance);
  }

  @Test
  void theServiceIsToldWhatWasGivenUpOnceAndWhereItShows() {
    cluster.update(add(1, 1, "rum", 1), 1);
    cluster.update(add(2, 1, "tea", 1), 2);
    cluster.update(add(2, 2, "tea", 1), 2);
    cluster.pass(LONG_MILLIS);
    assertThat(cluster.reconciled(1))
        .containsExactly(
            new Reconciliation(
                new Updates(0, List.of()),
                new Updates(1, List.of(new Reconciliation.Id(1, 1))),
                List.of("map 'counts'")));
    assertThat(cluster.reconciled(2)).isEmpty();
  }

  @Test
  void theServiceIsToldWhatCameLate() {
    cluster = carts(3);
    cluster.silence(3);
    for (int sequence = 1; sequence <= 1_500; sequence++) {
      cluster.update(add(1, sequence, "rum", 1), 1, 2);
    }
    cluster.pass(3_000);
    cluster.heard(3);
    cluster.pass(LONG_MILLIS);
    assertThat(cluster.reconciled(3))
        .singleElement()
        .satisfies(what -> {
          assertThat(what.inserted().count()).isEqualTo(1_500);
          assertThat(what.inserted().ids())
              .hasSize(Updates.IDS_MAX)
              .contains(new Reconciliation.Id(1, 1))
              .doesNotHaveDuplicates();
          assertThat(what.withdrawn()).isEqualTo(new Updates(0, List.of()));
          assertThat(what.collections()).containsExactly("map 'counts'");
        });
    assertThat(cluster.reconciled(1)).isEmpty();
    cluster.update(add(2, 1, "tea", 1), 1);
    cluster.pass(LONG_MILLIS);
    assertThat(cluster.reconciled(3)).hasSize(1); // What was merely missed is no reconciliation.
  }

  /** Of an epoch that a late entry passed by only the last version is right. */
  @Test
  void whatCameLateBeforeIsStillThereWhenTheLastOfAnEpochIsGivenUp() {
    cluster = carts(3);
    long epochMillis = (cluster.nowNanos / Cluster.MILLI / 100 + 1) * 100;
    cluster.update(cluster.entry(1, 1, epochMillis, cluster.call("add", "tea", 1)), 2, 3);
    for (int sequence = 1; sequence <= 40; sequence++) {
      long millis = epochMillis + 100 + sequence;
      cluster.update(
          cluster.entry(2, sequence, millis, cluster.call("add", "rum", 1)), cluster.all());
    }
    cluster.update(cluster.entry(3, 1, epochMillis + 190, cluster.call("add", "gin", 1)), 1, 2);
    cluster.update(cluster.entry(4, 1, epochMillis + 210, cluster.call("add", "ale", 1)), 3);
    cluster.update(cluster.entry(4, 2, epochMillis + 220, cluster.call("add", "ale", 1)), 3);
    cluster.silence(3);
    cluster.pass(600);
    assertThat(counts(1)).isEqualTo(Map.of("tea", 1, "rum", 40, "gin", 1));
    cluster.heard(3);
    cluster.silence(2);
    cluster.pass(LONG_MILLIS);
    assertThat(counts(1)).isEqualTo(Map.of("tea", 1, "rum", 40, "ale", 2));
  }

  @Test
  void ofTheWritesOfAMinorityNothingIsLeft() {
    cluster = carts(5);
    long[] few = {1, 2};
    long[] many = {3, 4, 5};
    for (long id : few) {
      cluster.silence(id);
    }
    for (int sequence = 1; sequence <= 50; sequence++) {
      cluster.update(add(1, sequence, "few", 1), few);
      cluster.update(add(2, sequence, "many", 1), many);
      cluster.update(add(3, sequence, "many", 1), many);
      cluster.pass(50);
    }
    for (long id : few) {
      cluster.heard(id);
    }
    cluster.pass(5_000);
    assertThat(cluster.inStep()).isTrue();
    assertThat(counts(1)).isEqualTo(Map.of("many", 100));
    assertThat(cluster.allTrue(each -> each.unsettled().isEmpty())).isTrue();
  }

  @Test
  void replicasThatAllLackSomethingConverge() {
    cluster = carts(4);
    for (int sequence = 1; sequence <= 40; sequence++) {
      long missedBy = 1L + sequence % 4;
      cluster.update(add(sequence, 1, "item" + sequence, 1), cluster.allBut(missedBy));
    }
    cluster.pass(3_000);
    assertThat(cluster.inStep()).isTrue();
    cluster.pass(3_000);
    assertThat(cluster.allTrue(each -> each.unsettled().isEmpty())).isTrue();
  }
}
