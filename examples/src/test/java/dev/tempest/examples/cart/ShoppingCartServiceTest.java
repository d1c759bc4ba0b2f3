package dev.tempest.examples.cart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.state.versioned.Version;
import dev.tempest.state.versioned.VersionedAction;
import dev.tempest.state.versioned.VersionedState;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

final class ShoppingCartServiceTest {
  private final VersionedState state = new VersionedState();
  private final ShoppingCartService cart = new ShoppingCartService(state);
  private Version version = state.emptyVersion();

  @Test
  void addsRemovesSetsAndChecks() {
    assertThat(call(c -> c.add("alice", "apple", 3))).isEqualTo(3);
    assertThat(call(c -> c.add("alice", "apple", 2))).isEqualTo(5);
    assertThat(call(c -> c.remove("alice", "apple", 1))).isEqualTo(4);
    assertThat(call(c -> c.update("alice", "apple", 9))).isEqualTo(9);
    assertThat(call(c -> c.check("alice", "apple"))).isEqualTo(9);
    assertThat(call(c -> c.check("bob", "apple"))).isZero();
  }

  @Test
  void anEmptyLineLeavesNothingBehind() {
    call(c -> c.add("alice", "apple", 3));

    assertThat(call(c -> c.remove("alice", "apple", 5))).isZero();
    assertThat(call(c -> c.update("alice", "pear", 0))).isZero();
    assertThat(version).isEqualTo(state.emptyVersion());
  }

  @Test
  void theOrderOfRemoveAndAddMatters() {
    call(c -> c.remove("alice", "apple", 1));
    call(c -> c.add("alice", "apple", 1));
    call(c -> c.add("bob", "apple", 1));
    call(c -> c.remove("bob", "apple", 1));

    assertThat(call(c -> c.check("alice", "apple"))).isEqualTo(1);
    assertThat(call(c -> c.check("bob", "apple"))).isZero();
  }

  @Test
  void refusesCountsThatCannotBe() {
    call(c -> c.add("alice", "apple", Integer.MAX_VALUE));

    assertThatThrownBy(() -> call(c -> c.add("alice", "apple", 1)))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> call(c -> c.remove("alice", "apple", -1)))
        .hasMessageContaining("a count cannot be -1");
  }

  @Test
  void ordersDoneOneAfterTheOtherLeaveTheCartsOfTheReplay() {
    List<OrderLine> orders = OrderFile.sample();

    orders.forEach(order -> call(order::applyTo));

    assertThat(state.contents(version))
        .isEqualTo(Map.of(ShoppingCartService.CARTS, OrderFile.replay(orders)));
  }

  private int call(ToIntFunction<ShoppingCart> method) {
    VersionedAction action = state.begin(version, 0, 0);
    try {
      int result = method.applyAsInt(cart);
      version = action.commit();
      return result;
    } catch (RuntimeException e) {
      action.abort();
      throw e;
    }
  }
}
