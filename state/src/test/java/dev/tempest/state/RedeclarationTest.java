package dev.tempest.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tempest.values.Bytes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is declared twice, or does not say enough. */
class RedeclarationTest {
  private final LocalHome home = new LocalHome();
  private final State state = home.state;
  private final Map<String, Cart> carts = state.map("carts", String.class, Cart.class);

  record Cart(int items) {}

  @Test
  void anotherClassIsRefusedAndTheFirstDeclarationStays() {
    carts.put("ada", new Cart(1));
    refuses(
        () -> state.map("carts", String.class, String.class),
        "map 'carts' is already declared with values of " + Cart.class.getName(),
        "not java.lang.String");
    refuses(() -> state.map("carts", Integer.class, Cart.class), "with keys of java.lang.String");
    home.upgrade();
    carts.merge("ada", new Cart(2), (old, more) -> new Cart(old.items() + more.items()));
    Map<String, Cart> again = state.map("carts", String.class, Cart.class);
    assertThat(again).isEqualTo(carts).containsEntry("ada", new Cart(3));
  }

  @Test
  void anotherKindIsRefusedAndTheFirstDeclarationStays() {
    carts.put("ada", new Cart(1));
    refuses(() -> state.sortedMap("carts", String.class, Cart.class), "map 'carts'");
    refuses(() -> state.counter("carts"), "map 'carts'");
    refuses(() -> state.set("carts", String.class), "map 'carts'");
    assertThat(carts).containsOnlyKeys("ada");
  }

  @Test
  void whatAnotherNodeKeepsUnderTheNameIsNoDeclaration() {
    LocalHome other = new LocalHome();
    other.state.set("tags", String.class).add("new");
    home.apply(other.written);
    Map<String, Cart> tags = state.map("tags", String.class, Cart.class);
    tags.put("ada", new Cart(1));
    assertThat(tags).hasSize(1);
    refuses(() -> state.set("tags", String.class), "map 'tags'");
  }

  @Test
  void furtherClassesWithinAreCompatible() {
    Map<String, Object> any = state.map("any", String.class, Object.class);
    any.put("name", "ada");
    Map<String, Object> more = state.map("any", String.class, Object.class, Cart.class);
    home.upgrade();
    more.put("cart", new Cart(1));
    assertThat(more).containsEntry("name", "ada").containsEntry("cart", new Cart(1));
    assertThat(any).containsEntry("name", "ada");
  }

  @Test
  void whatDoesNotSayWhatItHoldsIsRefused() {
    for (State declared : List.of(state, new State())) {
      refuses(
          () -> declared.map("history", String.class, List.class),
          "map 'history' does not say what each List in it holds",
          "(\"history\", String.class, List.class, Cart.class)");
      refuses(() -> declared.set("tags", Set.class), "(\"tags\", Set.class, Cart.class)");
      refuses(() -> declared.list("rows", Map.class), "list 'rows'");
      refuses(() -> declared.deque("work", 1, Optional.class), "deque 'work'");
      refuses(() -> declared.value("best", List.class), "value 'best'");
    }
    refuses(
        () -> state.map("history", Object.class, List.class),
        "(\"history\", String.class, List.class, Cart.class)");
    assertThat(home.written).isEqualTo(Bytes.EMPTY);
    Map<String, List<Cart>> history =
        generic(state.map("history", String.class, List.class, Cart.class));
    history.put("ada", List.of(new Cart(1)));
    assertThat(history).containsEntry("ada", List.of(new Cart(1)));
  }

  @SuppressWarnings("unchecked") // As declared.
  private static Map<String, List<Cart>> generic(Map<String, ?> raw) {
    return (Map<String, List<Cart>>) raw;
  }

  private static void refuses(Runnable declaration, String... messages) {
    assertThatIllegalArgumentException()
        .isThrownBy(declaration::run)
        .withMessageContainingAll(messages);
  }
}
