package dev.tempest.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.cli.DemoHistory.Told;
import dev.tempest.examples.cart.CartLine;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class DemoLinearizabilityTest {
  private static final CartLine APPLE = new CartLine("alice", "apple");

  @Test
  void aReadBesideAnOrderMaySeeItOrNot() {
    assertThat(wrong(order(3, 3, 10, 20), read(0, 5, 30), read(3, 12, 15))).isEmpty();
    assertThat(wrong(order(3, 3, 10, 20), read(0, 10, 20), read(3, 10, 20))).isEmpty();
    assertThat(wrong(order(3, 3, 10, 20), order(2, 5, 20, 30), read(5, 0, 20))).isEmpty();
  }

  @Test
  void whatWasAnsweredIsRead() {
    assertThat(wrong(order(3, 3, 10, 20), read(0, 21, 30)))
        .containsExactly(
            "customer alice, item apple: a read gave 0, should give 3 or what comes later");
  }

  @Test
  void nobodySeesWhatIsNotOrderedYet() {
    assertThat(wrong(order(3, 3, 10, 20), read(3, 5, 9))).hasSize(1);
    assertThat(wrong(order(3, 3, 10, 20), read(4, 15, 30))).hasSize(1);
  }

  @Test
  void whatOneHasReadAllReadAfterwards() {
    Told[] lost = {order(3, 3, 10, 100), read(3, 20, 30), read(0, 31, 40)};
    assertThat(wrong(lost)).hasSize(1);
    assertThat(wrong(order(3, 3, 10, 100), read(3, 20, 30), read(0, 30, 40))).isEmpty();
  }

  /** There are 3 after the first order, and again after the last one. */
  @Test
  void countsMayComeAgain() {
    Told[] orders = {order(3, 3, 10, 20), order(2, 5, 30, 40), order(-2, 3, 50, 60)};
    assertThat(wrong(concat(orders, read(3, 25, 70), read(5, 35, 55), read(3, 45, 46)))).hasSize(1);
    assertThat(wrong(concat(orders, read(3, 25, 55), read(5, 45, 55), read(3, 52, 70)))).isEmpty();
    assertThat(wrong(concat(orders, read(3, 51, 52), read(5, 53, 55)))).hasSize(1);
  }

  @Test
  void everyOrderCountsOnce() {
    assertThat(wrong(order(3, 6, 10, 20)))
        .containsExactly("customer alice, item apple: order 1, of 3, gave 6, should give 3");
    assertThat(wrong(order(3, 3, 10, 20), order(-5, 0, 30, 40), order(1, 1, 50, 60))).isEmpty();
  }

  private static List<String> wrong(Told... told) {
    return DemoLinearizability.wrong(List.of(told));
  }

  private static Told[] concat(Told[] orders, Told... reads) {
    return Stream.of(orders, reads).flatMap(Stream::of).toArray(Told[]::new);
  }

  private static Told order(int quantity, int count, long fromNanos, long untilNanos) {
    return new Told(APPLE, quantity, count, fromNanos, untilNanos);
  }

  private static Told read(int count, long fromNanos, long untilNanos) {
    return new Told(APPLE, 0, count, fromNanos, untilNanos);
  }
}
