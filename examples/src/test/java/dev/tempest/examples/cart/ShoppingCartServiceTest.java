package dev.tempest.examples.cart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.FrontEndConfig;
import dev.tempest.Node;
import dev.tempest.ServiceException;
import dev.tempest.Tempest;
import dev.tempest.admin.Admin;
import dev.tempest.config.NodeConfig;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cart on a node that is alone: a service needs nothing else to be tested. */
final class ShoppingCartServiceTest {
  private final String cluster = "test-" + UUID.randomUUID();
  private final Node node =
      Tempest.join(NodeConfig.builder().cluster(cluster).listen("127.0.0.1").build());
  private final ShoppingCart cart = node.frontEnd().service(ShoppingCart.class);

  @BeforeEach
  void host() {
    node.host("shopping-cart", ShoppingCart.class, ShoppingCartService::new);
  }

  @AfterEach
  void close() {
    node.close();
  }

  @Test
  void addsRemovesSetsAndChecks() {
    assertThat(cart.add("alice", "apple", 3)).isEqualTo(3);
    assertThat(cart.add("alice", "apple", 2)).isEqualTo(5);
    assertThat(cart.remove("alice", "apple", 1)).isEqualTo(4);
    assertThat(cart.update("alice", "apple", 9)).isEqualTo(9);
    assertThat(cart.check("alice", "apple")).isEqualTo(9);
    assertThat(cart.check("bob", "apple")).isZero();
  }

  @Test
  void anEmptyLineLeavesNothingBehind() {
    cart.add("alice", "apple", 3);

    assertThat(cart.remove("alice", "apple", 5)).isZero();
    assertThat(cart.update("alice", "pear", 0)).isZero();
    assertThat(carts()).isEqualTo(Map.of());
  }

  @Test
  void theOrderOfRemoveAndAddMatters() {
    cart.remove("alice", "apple", 1);
    cart.add("alice", "apple", 1);
    cart.add("bob", "apple", 1);
    cart.remove("bob", "apple", 1);

    assertThat(cart.check("alice", "apple")).isEqualTo(1);
    assertThat(cart.check("bob", "apple")).isZero();
  }

  @Test
  void refusesCountsThatCannotBe() {
    cart.add("alice", "apple", Integer.MAX_VALUE);

    assertThatThrownBy(() -> cart.add("alice", "apple", 1))
        .isInstanceOf(ServiceException.class)
        .hasMessageContaining("ArithmeticException");
    assertThatThrownBy(() -> cart.remove("alice", "apple", -1))
        .hasMessageContaining("a count cannot be -1");
  }

  @Test
  void ordersDoneOneAfterTheOtherLeaveTheCartsOfTheReplay() {
    List<OrderLine> orders = OrderFile.sample();

    orders.forEach(order -> order.applyTo(cart));

    assertThat(carts()).isEqualTo(OrderFile.replay(orders));
  }

  /** All of them, as the node keeps them. */
  private @Nullable Object carts() {
    String server = node.members().getFirst();
    try (Admin admin = Admin.connect(FrontEndConfig.builder(server).cluster(cluster).build())) {
      return admin
          .state("shopping-cart", server)
          .contents(ShoppingCartService.class)
          .get(ShoppingCartService.CARTS);
    }
  }
}
