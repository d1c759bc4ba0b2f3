package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.values.UnsupportedTypeException;
import dev.tempest.values.encoding.Bytes;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedCollection;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What is declared twice, or does not say enough. */
class RedeclarationTest {
  private final LocalHome home = new LocalHome();
  private final VersionedState state = home.state;
  private final Map<String, Cart> carts = state.map("carts", String.class, Cart.class);

  record Cart(int items) {}

  record Price(int cents) {}

  interface MapDeclaration {
    Map<Object, Object> of(String name, Class<?> keys, Class<?> values);
  }

  interface CollectionDeclaration {
    Collection<Object> of(String name, Class<Object> elements);
  }

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
  void aClassThatTheContentsAreNotOfIsRefusedAndTheFirstDeclarationGoesOn() {
    for (MapDeclaration declared : maps()) {
      Map<Object, Object> first = declared.of("open", Comparable.class, Object.class);
      first.put("ada", "first");
      refuses(
          () -> declared.of("open", Integer.class, String.class),
          "open' already holds a java.lang.String",
          "cannot be declared with java.lang.Integer: ");
      refuses(
          () -> declared.of("open", String.class, Integer.class),
          "open' already holds a java.lang.String",
          "cannot be declared with java.lang.Integer: ");
      first.put("bob", 2);
      assertThat(first).isEqualTo(Map.of("ada", "first", "bob", 2));
      Map<Object, Object> fits = declared.of("open", String.class, Object.class);
      fits.put("eve", 3);
      assertThat(first).containsKeys("ada", "bob", "eve").isEqualTo(fits);
    }
  }

  @Test
  void elementsThatAreNotOfTheClassAreRefusedAndTheFirstDeclarationGoesOn() {
    for (CollectionDeclaration declared : collections()) {
      Collection<Object> first = declared.of("open", any(Comparable.class));
      first.add("ada");
      refuses(() -> declared.of("open", any(Integer.class)), "already holds a java.lang.String");
      first.add(1);
      assertThat(first).containsExactlyInAnyOrder("ada", 1);
    }
  }

  @Test
  void aClassThatIsDeclaredLaterNarrowsOnlyWhatItsOwnDeclarationTakes() {
    for (CollectionDeclaration declared : collections()) {
      Collection<Object> first = declared.of("wide", any(Comparable.class));
      Collection<Object> numbers = declared.of("wide", any(Integer.class));
      home.upgrade();
      numbers.add(1);
      assertThatThrownBy(() -> numbers.add("ada")).isInstanceOf(ClassCastException.class);
      refuses(() -> declared.of("wide", any(String.class)), "java.lang.Integer, not");
      assertThat(numbers).containsExactly(1);
      assertThat(first).containsExactly(1);

      first.add("ada");
      assertThat(first).containsExactlyInAnyOrder(1, "ada");
      assertThat(first.toString()).contains("ada");
      assertThatIllegalStateException()
          .isThrownBy(() -> List.copyOf(numbers))
          .withMessageContaining("java.lang.Integer is declared");
      assertThat(declared.of("wide", any(Comparable.class)).add("eve")).isTrue();
    }
    Map<String, Object> first = state.map("wide-map", String.class, Object.class);
    Map<String, Integer> numbers = state.map("wide-map", String.class, Integer.class);
    first.put("ada", "first");
    assertThatIllegalStateException().isThrownBy(() -> numbers.get("ada"));
    assertThat(first).containsEntry("ada", "first");
  }

  @Test
  void aShortFormKnowsTheClassesThatAreDeclaredAfterIt() {
    Set<Object> first = state.set("rows", Object.class);
    first.add("ada");
    Map<Object, Object> byName = state.sortedMap("by-name", Object.class, Object.class);
    byName.put("ada", 1);
    Set<Object> further = state.set("rows", Object.class, Cart.class);
    Map<Object, Object> later = state.sortedMap("by-name", Object.class, Object.class, Cart.class);
    home.upgrade();
    further.add(new Cart(1));
    later.put(new Cart(1), new Cart(2));
    assertThat(first).containsExactlyInAnyOrder("ada", new Cart(1));
    assertThat(first.add(new Cart(2))).isTrue();
    assertThat(byName).isEqualTo(Map.of("ada", 1, new Cart(1), new Cart(2)));
  }

  @Test
  void aClassThatIsDeclaredFirstIsKeptWhenALaterDeclarationLeavesItOpen() {
    Map<Object, Object> open = generic(state.map("carts", Object.class, Object.class, Price.class));
    home.upgrade();
    assertThatThrownBy(() -> open.put("ada", new Price(1))).isInstanceOf(ClassCastException.class);
    open.put("ada", new Cart(1));
    assertThat(carts.get("ada")).isEqualTo(new Cart(1));
  }

  @Test
  void whatOthersWroteDoesNotKeepAClassFromBeingDeclared() {
    LocalHome other = new LocalHome();
    other.state.map("tags", String.class, String.class).put("ada", "new");
    home.apply(other.written);
    Map<String, Integer> tags = state.map("tags", String.class, Integer.class);
    home.upgrade();
    tags.put("bob", 1);
    assertThat(tags.get("bob")).isEqualTo(1);
    assertThat(state.takeComplaint())
        .contains("another node wrote a java.lang.String into map 'tags'");
    LocalHome third = new LocalHome();
    third.take(home.bytes());
    assertThat(third.state.map("tags", Object.class, Object.class))
        .isEqualTo(Map.of("ada", "new", "bob", 1));
  }

  private List<MapDeclaration> maps() {
    return List.of(
        (name, keys, values) -> state.map(name, any(keys), any(values)),
        (name, keys, values) -> state.sortedMap("sorted-" + name, any(keys), any(values)));
  }

  private List<CollectionDeclaration> collections() {
    return List.of(
        (name, type) -> state.set("set-" + name, type),
        (name, type) -> state.sortedSet("sorted-set-" + name, type),
        (name, type) -> state.list("list-" + name, type),
        (name, type) -> state.deque("deque-" + name, 9, type));
  }

  @SuppressWarnings("unchecked") // As a short form declares it.
  private static Class<Object> any(Class<?> type) {
    return (Class<Object>) type;
  }

  @Test
  void whatDoesNotSayWhatItHoldsIsRefused() {
    for (VersionedState declared : List.of(state, new VersionedState())) {
      refuses(
          () -> declared.map("history", String.class, List.class),
          "map 'history' does not say what each List in it holds",
          "(\"history\", String.class, List.class, Cart.class)");
      refuses(() -> declared.set("tags", Set.class), "(\"tags\", Set.class, Cart.class)");
      refuses(() -> declared.list("rows", Map.class), "list 'rows'");
      refuses(() -> declared.deque("work", 1, Optional.class), "deque 'work'");
      refuses(() -> declared.value("best", List.class), "value 'best'");
      refuses(() -> declared.list("more", Collection.class), "(\"more\", Collection.class, Cart");
      refuses(() -> declared.map("each", String.class, SequencedCollection.class), "map 'each'");
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
  private static <K, V> Map<K, V> generic(Map<? super K, ?> raw) {
    return (Map<K, V>) raw;
  }

  @Test
  void whatCannotBeStoredIsRefusedWithTheNameOfTheCollection() {
    for (VersionedState declared : List.of(state, new VersionedState())) {
      assertThatThrownBy(() -> declared.map("lazy", String.class, Supplier.class))
          .isInstanceOf(UnsupportedTypeException.class)
          .hasMessageStartingWith("map 'lazy': java.util.function.Supplier ");
      assertThatThrownBy(() -> declared.sortedSet("pairs", Pair.class))
          .isInstanceOf(UnsupportedTypeException.class)
          .hasMessageStartingWith("sorted set 'pairs': " + Pair.class.getName() + " is a generic");
    }
    List<Collection<Cart>> rows = generic(state.list("rows", Collection.class, Cart.class));
    rows.add(List.of(new Cart(1)));
    assertThat(rows).containsExactly(List.of(new Cart(1)));
  }

  record Pair<A, B>(A a, B b) {}

  @SuppressWarnings("unchecked") // As declared.
  private static <E> List<E> generic(List<? super E> raw) {
    return (List<E>) raw;
  }

  private static void refuses(Runnable declaration, String... messages) {
    assertThatIllegalArgumentException()
        .isThrownBy(declaration::run)
        .withMessageContainingAll(messages);
  }
}
