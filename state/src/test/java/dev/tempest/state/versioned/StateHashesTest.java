package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tempest.state.Merge;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Hashes of states that are followed write by write, at nodes that know more or less of them. */
final class StateHashesTest {
  record Item(String name, int price) {}

  private static final Merge<String> LONGER =
      Merge.of("longer", (a, b) -> a.length() >= b.length() ? a : b);

  private static final Merge<Item> DEARER =
      Merge.of("dearer", (a, b) -> a.price() >= b.price() ? a : b);

  private final LocalHome there = new LocalHome();
  private final LocalHome here = new LocalHome().to(there);

  /** As new: from the whole contents. */
  private static StateHashes hashes(LocalHome home) {
    return following(home.state.hashes(), home);
  }

  private static StateHashes following(StateHashes hashes, LocalHome home) {
    hashes.advance(home.published());
    return hashes;
  }

  private static void assertSame(StateHashes one, StateHashes other) {
    assertThat(one.total()).isEqualTo(other.total());
    assertThat(byCollection(one)).isEqualTo(byCollection(other));
  }

  private static Map<String, CollectionHash> byCollection(StateHashes hashes) {
    return hashes.collections().stream()
        .collect(Collectors.toMap(CollectionHash::collection, Function.identity()));
  }

  /** Many kinds of writes, the values of which the other node cannot read. */
  private void write(SplittableRandom random) {
    String key = "k" + random.nextInt(40);
    Item item = new Item(key, random.nextInt(3));
    VersionedState state = here.state;
    switch (random.nextInt(10)) {
      case 0, 1 -> state.map("items", String.class, Item.class).put(key, item);
      case 2 -> state.map("items", String.class, Item.class).remove(key);
      case 3 -> state.map("prices", Item.class, Long.class).merge(item, 2L, Merge.sum());
      case 4 ->
          state
              .map("leased", String.class, Item.class)
              .put(key, item, Duration.ofMillis(random.nextInt(1, 200)));
      case 5 -> state.list("list", Item.class).add(item);
      case 6 -> state.deque("deque", 9, Item.class).pollFirst();
      case 7 -> state.deque("deque", 9, Item.class).offerFirst(item);
      case 8 -> state.sortedMap("sorted", String.class, Item.class).put(key, item);
      default -> {
        state.counter("counter").add(random.nextInt(-1, 2));
        state.value("value", Item.class).set(item);
      }
    }
  }

  @Test
  void followWritesAtTheirOwnCostAndComeToTheHashesOfTheContents() {
    for (long seed : Seeds.of(30).toArray()) {
      SplittableRandom random = new SplittableRandom(seed);
      StateHashes followed = here.state.hashes();
      StateHashes replicated = there.state.hashes();
      for (int i = 0; i < 300; i++) {
        write(random);
        if (random.nextInt(20) == 0) {
          here.nowMillis += 50;
          there.nowMillis = here.nowMillis;
          here.expire();
          there.expire();
          following(followed, here);
          following(replicated, there);
          assertSame(followed, replicated);
        }
      }
      assertSame(following(followed, here), hashes(here));
      assertSame(following(replicated, there), hashes(here));
      LocalHome joiner = new LocalHome();
      joiner.take(here.bytes());
      assertSame(hashes(joiner), followed);
    }
  }

  @Test
  void tellWhichObjectDiffers() {
    here.state.map("same", String.class, Long.class).put("a", 1L);
    here.state.map("other", String.class, Long.class).put("a", 1L);
    StateHashes before = hashes(here);
    long total = before.total();
    Map<String, CollectionHash> collections = byCollection(before);
    here.state.map("other", String.class, Long.class).put("a", 2L);
    following(before, here);
    assertThat(before.total()).isNotEqualTo(total);
    assertThat(byCollection(before).get("map 'same'")).isEqualTo(collections.get("map 'same'"));
    assertThat(byCollection(before).get("map 'other'"))
        .isNotEqualTo(collections.get("map 'other'"));
  }

  @Test
  void doNotMixUpObjectsOfTheSameContents() {
    here.state.map("one", String.class, Long.class).put("a", 1L);
    LocalHome other = new LocalHome();
    other.state.map("two", String.class, Long.class).put("a", 1L);
    assertThat(hashes(here).total()).isNotEqualTo(hashes(other).total());
  }

  @Test
  void ofNothingAreTheSameHoweverMuchIsDeclared() {
    here.state.map("one", String.class, Long.class).put("a", 1L);
    here.state.map("one", String.class, Long.class).remove("a");
    here.state.counter("counter");
    StateHashes followed = hashes(here);
    assertThat(followed.total()).isEqualTo(hashes(new LocalHome()).total());
    assertThat(followed.collections()).isEmpty();
  }

  @Test
  void stayWhatTheyAreWhenTheClassesOfValuesAreDeclared() {
    here.state.map("items", Item.class, Item.class).put(new Item("a", 1), new Item("b", 2));
    StateHashes followed = hashes(there);
    assertSame(followed, hashes(here));
    there.state.map("items", Item.class, Item.class);
    there.upgrade();
    assertSame(following(followed, there), hashes(here));
    here.state.map("items", Item.class, Item.class).put(new Item("a", 1), new Item("c", 3));
    assertSame(following(followed, there), hashes(here));
  }

  @Test
  void areNotKnownWhereValuesWaitForAMergeFunctionUntilItIsRegistered() {
    here.state.register(LONGER);
    Map<String, String> names = here.state.map("names", String.class, String.class);
    names.put("a", "x");
    names.merge("a", "long", LONGER);
    here.state.map("leased", String.class, String.class).put("a", "x", Duration.ofMinutes(1));
    here.state.map("leased", String.class, String.class).merge("a", "long", LONGER);
    here.state.counter("counter").add(1);
    StateHashes waiting = hashes(there);
    assertThat(waiting.collections())
        .extracting(CollectionHash::known)
        .containsExactlyInAnyOrder(false, false, true);
    assertThat(waiting.collections()).contains(byCollection(hashes(here)).get("counter 'counter'"));

    there.state.register(LONGER);
    there.upgrade();
    assertSame(following(waiting, there), hashes(here));
  }

  @Test
  void areNotKnownWhereMergesWaitForTheClassOfTheirValues() {
    here.state.register(DEARER);
    there.state.register(DEARER);
    Map<String, Item> items = here.state.map("items", String.class, Item.class);
    items.put("a", new Item("x", 3));
    items.merge("a", new Item("y", 2), DEARER);
    StateHashes waiting = hashes(there);
    assertThat(waiting.collections()).extracting(CollectionHash::known).containsExactly(false);
    Map<String, Object> undeclared = there.state.map("items", String.class, Object.class);
    assertThatIllegalStateException()
        .isThrownBy(() -> undeclared.get("a"))
        .withMessageContaining("Item cannot be read here");

    Map<String, Item> declared = there.state.map("items", String.class, Item.class);
    there.upgrade();
    assertSame(following(waiting, there), hashes(here));
    assertThat(declared).isEqualTo(items);
  }

  @Test
  void aCopyGoesItsOwnWay() {
    here.state.map("a", String.class, Long.class).put("a", 1L);
    StateHashes hashes = hashes(here);
    StateHashes copy = hashes.copy();
    long before = hashes.total();
    here.state.map("b", String.class, Long.class).put("b", 1L);
    assertSame(following(copy, here), hashes(here));
    assertThat(hashes.total()).isEqualTo(before);
  }
}
