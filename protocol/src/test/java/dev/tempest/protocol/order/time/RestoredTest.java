package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Entry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Replicas that come back with what their checkpoints hold. */
final class RestoredTest {
  private static final long CLIENT = 77;

  @Test
  void oneThatIsAloneComesBackWithAllItHadSettledOrNot() {
    Cluster cluster = new Cluster(1);
    Entry settled = cluster.entry(CLIENT, 1, cluster.call("add", "ann", 1));
    List<Answer> first = cluster.update(settled, 1);
    cluster.pass(3_000);
    Entry unsettled = cluster.entry(CLIENT, 2, cluster.call("add", "ann", 10));
    List<Answer> answered = cluster.update(unsettled, 1);
    assertThat(cluster.replica(1).unsettled()).hasSize(1);

    Cluster.Kept kept = cluster.kept(1);
    cluster.crash();
    cluster.pass(5_000);
    cluster.start(1, kept);

    assertThat(cluster.replica(1).isActive()).isTrue();

    List<Answer> next = cluster.send(cluster.entry(CLIENT, 3, cluster.call("add", "ann", 100)), 1);
    assertThat(cluster.amount(1, "ann")).isEqualTo(111);
    assertThat(next).isEqualTo(List.of(new Answer.Returned(returned(111))));
    assertThat(cluster.update(unsettled, 1)).as("the answer it had").isEqualTo(answered);
    assertThat(cluster.update(settled, 1)).as("the answer it had").isEqualTo(first);
    cluster.pass(3_000);
    assertThat(cluster.replica(1).unsettled()).isEmpty();
    assertThat(cluster.amount(1, "ann")).isEqualTo(111);
  }

  @Test
  void itGoesOnAfterWhatItHasThoughItsClockWasSetBack() {
    Cluster cluster = new Cluster(1);
    cluster.update(cluster.entry(CLIENT, 1, cluster.call("add", "ann", 1)), 1);
    cluster.pass(3_000);
    Cluster.Kept kept = cluster.kept(1);
    cluster.crash();
    cluster.nowNanos -= 3_600_000 * Cluster.MILLI;
    cluster.start(1, kept);

    long nowMillis = cluster.replica(1).nowMillis();
    assertThat(nowMillis).isGreaterThan(cluster.nowNanos / Cluster.MILLI);
    cluster.update(cluster.entry(CLIENT, 2, nowMillis, cluster.call("twice", "ann")), 1);
    cluster.pass(3_000);
    assertThat(cluster.amount(1, "ann")).isEqualTo(2);
    assertThat(cluster.replica(1).unsettled()).as("they settle").isEmpty();
    assertThat(cluster.replica(1).settled().count()).isEqualTo(2);
  }

  @Test
  void whatIsAskedThenCountsAfterAllThatItShowsThoughItsClockWasSetBack() {
    Cluster cluster = new Cluster(1);
    cluster.update(cluster.entry(CLIENT, 1, cluster.call("add", "ann", 1)), 1);
    cluster.pass(3_000);
    cluster.update(cluster.entry(CLIENT, 2, cluster.call("add", "ann", 10)), 1);
    assertThat(cluster.replica(1).unsettled()).hasSize(1);
    Cluster.Kept kept = cluster.kept(1);
    cluster.crash();
    cluster.nowNanos -= 3_600_000 * Cluster.MILLI;
    cluster.start(1, kept);

    assertThat(cluster.amount(1, "ann")).isEqualTo(11);
    long nowMillis = cluster.replica(1).nowMillis();
    cluster.update(cluster.entry(CLIENT, 3, nowMillis, cluster.call("twice", "ann")), 1);
    assertThat(cluster.amount(1, "ann")).isEqualTo(22);
  }

  /** It would take nothing until the time of what it has has come once more. */
  @Test
  void itGoesOnAfterWhatItHasThoughTheClockOfWhoBeganIsBehind() {
    Cluster cluster = new Cluster(2);
    cluster.update(cluster.entry(CLIENT, 1, cluster.call("add", "ann", 1)), 1, 2);
    cluster.pass(3_000);
    Cluster.Kept older = cluster.kept(1);
    cluster.pass(200_000);
    cluster.update(cluster.entry(CLIENT, 2, cluster.call("add", "ann", 10)), 1, 2);
    Cluster.Kept newest = cluster.kept(2);
    cluster.crash();
    cluster.nowNanos -= 200_000 * Cluster.MILLI;
    cluster.start(1, older);
    cluster.tell(1, 1);
    cluster.pass(25_000);
    assertThat(cluster.replica(1).isActive()).isTrue();
    cluster.start(2, newest);
    cluster.tell(1, 1, 2);
    cluster.pass(3_000);

    long nowMillis = cluster.replica(2).nowMillis();
    cluster.update(cluster.entry(CLIENT, 3, nowMillis, cluster.call("twice", "ann")), 1, 2);
    assertThat(cluster.amount(2, "ann")).isEqualTo(22);
    cluster.pass(3_000);
    assertThat(cluster.inStep()).isTrue();
    assertThat(cluster.replica(1).unsettled()).isEmpty();
  }

  @Test
  void ofAllThatComeBackTheNewestCountsAndNothingIsLost() {
    Cluster cluster = new Cluster(3);
    cluster.update(cluster.entry(CLIENT, 1, cluster.call("add", "ann", 1)), 1, 2, 3);
    cluster.pass(3_000);
    Cluster.Kept older = cluster.kept(3);
    cluster.update(cluster.entry(CLIENT, 2, cluster.call("add", "ann", 10)), 1, 2, 3);
    cluster.pass(3_000);
    cluster.cutOff(2);
    cluster.update(cluster.entry(CLIENT, 3, cluster.call("add", "bob", 5)), 2);
    Cluster.Kept withOneOfItsOwn = cluster.kept(2);
    Cluster.Kept newest = cluster.kept(1);
    cluster.heard(2);
    cluster.crash();
    cluster.pass(5_000);

    cluster.start(3, older);
    cluster.start(2, withOneOfItsOwn);
    cluster.pass(100);
    cluster.start(1, newest);
    cluster.pass(3_000);

    assertThat(cluster.allTrue(ReplicaByTime::isActive)).isTrue();
    assertThat(cluster.inStep()).isTrue();
    assertThat(cluster.amount(3, "ann")).isEqualTo(11);
    assertThat(cluster.amount(3, "bob")).isEqualTo(5);
    assertThat(cluster.allTrue(replica -> replica.status("").executed() == 3)).isTrue();
  }

  @Test
  void whoeverHadSettledMoreThanTheOneThatBeginsStillBeginsWithAllThatThatOneHas() {
    Cluster cluster = new Cluster(2);
    cluster.update(cluster.entry(CLIENT, 1, cluster.call("add", "ann", 1)), 1, 2);
    while (cluster.replica(1).settled().count() == cluster.replica(2).settled().count()) {
      cluster.pass(10);
    }
    long ahead = cluster.replica(1).settled().count() == 1 ? 1 : 2;
    long behind = 3 - ahead;
    Cluster.Kept more = cluster.kept(ahead);
    cluster.update(cluster.entry(CLIENT, 2, cluster.call("add", "bob", 5)), behind);
    Cluster.Kept most = cluster.kept(behind);
    cluster.crash();
    cluster.pass(100);

    cluster.start(behind, most);
    cluster.start(ahead, more);
    while (!cluster.replica(ahead).isActive()) {
      cluster.pass(10);
    }
    assertThat(cluster.amount(ahead, "bob")).isEqualTo(5);
    assertThat(cluster.amount(ahead, "ann")).isEqualTo(1);
  }

  private static Bytes returned(int amount) {
    return ServiceInstance.of(Ledger.class, LedgerService::new).description().methods().stream()
        .filter(method -> method.name().equals("add"))
        .findFirst()
        .orElseThrow()
        .encodeResult(amount);
  }
}
