package dev.tempest.protocol.order.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.service.execution.ServiceInstance;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two sides of a service whose calls all replicas execute, which have settled without each other.
 */
final class CallsApartTest {
  private static final long ONES = 70;
  private static final long TWOS = 71;

  /** Of some ten calls. */
  private static final long KEPT_MAX_BYTES = 1_500;

  private Cluster cluster = new Cluster(3);
  private long sequence;

  private void add(long client, int amount, long... reached) {
    add(client, "a", amount, reached);
  }

  private void add(long client, String account, int amount, long... reached) {
    var call = cluster.call("add", account, amount);
    cluster.update(cluster.entry(client, ++sequence, call), reached);
    cluster.pass(20);
  }

  @BeforeEach
  void partAfterSomeUpdates() {
    for (int i = 0; i < 10; i++) {
      add(69, 1_000, 1, 2, 3);
    }
    cluster.pass(3_000);
    part(new long[] {1}, new long[] {2, 3});
  }

  private void part(long[]... sides) {
    for (long[] side : sides) {
      for (long each : side) {
        cluster.tell(each, side);
      }
    }
    cluster.pass(500);
  }

  private void addAtBothSides(int ones, int hundreds) {
    for (int i = 0; i < ones; i++) {
      add(ONES, 1, 1);
    }
    for (int i = 0; i < hundreds; i++) {
      add(TWOS, 100, 2, 3);
    }
  }

  private void settle() {
    cluster.pass(65_000);
    assertThat(cluster.allTrue(replica -> replica.unsettled().isEmpty())).isTrue();
  }

  private void meet() {
    settle();
    part(new long[] {1, 2, 3});
    cluster.pass(5_000);
    assertThat(cluster.inStep()).isTrue();
  }

  private void assertAmount(int amount) {
    for (long each : cluster.all()) {
      assertThat(cluster.amount(each, "a")).isEqualTo(amount);
    }
  }

  @Test
  void callsOfBothSidesCount() {
    addAtBothSides(20, 30);
    meet();
    assertAmount(13_020);
  }

  /** All of its state is that of the second, which has ended. */
  @Test
  void soDoThoseThatOnlyOneHasWhoJoinedMeanwhile() {
    addAtBothSides(40, 30);
    settle();
    cluster.silence(3);
    cluster.tell(2, 2);
    cluster.pass(500);
    cluster.heard(3);
    cluster.start(3);
    part(new long[] {2, 3});
    assertAmountOf(3, 13_000);
    cluster.silence(2);
    cluster.tell(3, 3);
    cluster.pass(500);
    part(new long[] {1, 3});
    cluster.heard(2);
    cluster.start(2);
    meet();
    assertAmount(13_040);
  }

  private void assertAmountOf(long replica, int amount) {
    assertThat(cluster.amount(replica, "a")).isEqualTo(amount);
  }

  @Test
  void theyCountOnceThoughTheSidesPartAgain() {
    add(ONES, 1, 1);
    add(TWOS, 100, 2, 3);
    add(TWOS, 100, 2, 3);
    meet();
    part(new long[] {1, 2}, new long[] {3});
    add(ONES, 1, 1, 2);
    add(TWOS, 100, 3);
    meet();
    assertAmount(10_302);
  }

  /** Then nothing runs again: keys that the other side lacks come as a whole. */
  @Test
  void whatIsTooMuchToBeKeptBringsItsKeys() {
    for (long each : cluster.all()) {
      var code = ServiceInstance.of(Ledger.class, LedgerService::new);
      cluster.start(each, code, 8 * KEPT_MAX_BYTES);
    }
    part(new long[] {1, 2, 3});
    add(68, 1_000, 1, 2, 3);
    cluster.pass(3_000);
    part(new long[] {1}, new long[] {2, 3});
    for (int i = 0; i < 20; i++) {
      add(ONES, 1, 1);
      add(ONES, "onlyHere", 1, 1);
      cluster.pass(300);
    }
    for (int i = 0; i < 50; i++) {
      add(TWOS, 100, 2, 3);
      cluster.pass(300);
    }
    meet();
    assertAmount(6_000);
    for (long each : cluster.all()) {
      assertThat(cluster.amount(each, "onlyHere")).isEqualTo(20);
    }
  }

  /** The side that is cut off has executed some before it knew; by then the others forget them. */
  @Test
  void whatIsTooOldToBePutInBringsItsKeys() {
    cluster =
        Cluster.remembering(
            3, new ReplicaSettings.Memory(5_000, 70_000, 1 << 24, 1_024, 256, 256, 1_024, 2_048));
    for (int i = 0; i < 10; i++) {
      add(69, 1_000, 1, 2, 3);
    }
    cluster.pass(3_000);
    cluster.cutOff(1);
    for (int i = 0; i < 5; i++) {
      add(ONES, "b", 1, 1);
    }
    addAtBothSides(0, 50);
    cluster.pass(8_000);
    part(new long[] {1}, new long[] {2, 3});
    cluster.pass(66_000);
    add(72, "c", 1, 1);
    cluster.pass(1_500);
    cluster.heard(1);
    part(new long[] {1, 2, 3});
    cluster.pass(5_000);

    assertThat(cluster.inStep()).isTrue();
    assertThat(cluster.amount(1, "b")).isEqualTo(5);
    assertThat(cluster.amount(1, "c")).isEqualTo(1);
    assertAmount(15_000);
  }

  /** All end before the sides meet, and go back to what their checkpoints hold. */
  @Test
  void theyComeBackWithCheckpoints() {
    addAtBothSides(20, 30);
    settle();
    Cluster.Kept one = cluster.kept(1);
    Cluster.Kept two = cluster.kept(2);
    Cluster.Kept three = cluster.kept(3);
    cluster.crash();
    cluster.start(1, one);
    cluster.start(2, two);
    cluster.start(3, three);
    part(new long[] {1}, new long[] {2, 3});
    cluster.pass(25_000);
    meet();
    assertAmount(13_020);
  }

  /** A client that did not get the answer asks the other side. */
  @Test
  void anUpdateThatBothSidesHaveExecutedCountsOnce() {
    for (int i = 0; i < 3; i++) {
      add(TWOS, 100, 2, 3);
    }
    var entry = cluster.entry(ONES, 1, cluster.call("add", "a", 1));
    cluster.update(entry, 1);
    cluster.update(entry, 2);
    meet();
    assertAmount(10_301);
  }
}
