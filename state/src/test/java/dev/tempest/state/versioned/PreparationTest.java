package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tempest.state.Merge;
import dev.tempest.state.State;
import dev.tempest.state.TimedMap;
import dev.tempest.state.Value;
import java.time.Duration;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Collections that others have filled are read before they are declared. */
class PreparationTest {
  private static final ThreadLocal<Integer> READ = ThreadLocal.withInitial(() -> 0);

  private static final Merge<Item> DEARER =
      Merge.of("dearer", (a, b) -> a.price() >= b.price() ? a : b);

  private final LocalHome there = new LocalHome();
  private final LocalHome here = new LocalHome().to(there);

  record Item(String name, int price) {
    Item {
      READ.set(READ.get() + 1);
    }
  }

  record Ranked(int rank) implements Comparable<Ranked> {
    @Override
    public int compareTo(Ranked other) {
      return Integer.compare(other.rank, rank);
    }
  }

  /** A collection as it is declared, and how it is written. */
  private record Sample(Function<State, Object> declaration, Writes writes) {}

  private interface Writes {
    void write(Object collection, int number);
  }

  private static Item item(int number) {
    return new Item("item " + number, number);
  }

  @SuppressWarnings("unchecked") // As declared below.
  private static List<Sample> samples() {
    return List.of(
        new Sample(
            state -> state.map("map", String.class, Item.class),
            (map, i) -> ((Map<Object, Object>) map).put("k" + i % 60, item(i))),
        new Sample(
            state -> state.map("leased", String.class, Item.class),
            (map, i) ->
                ((TimedMap<Object, Object>) map)
                    .put("k" + i % 60, item(i), Duration.ofMillis(100 + i))),
        new Sample(
            state -> state.map("removed", Item.class, Item.class),
            (map, i) -> {
              ((Map<Object, Object>) map).put(item(i), item(i));
              ((Map<Object, Object>) map).remove(item(i - 7));
            }),
        new Sample(
            state -> state.set("set", Item.class), (set, i) -> ((Set<Object>) set).add(item(i))),
        new Sample(
            state -> state.sortedMap("sorted", Ranked.class, Item.class),
            (map, i) -> ((Map<Object, Object>) map).put(new Ranked(i % 60), item(i))),
        new Sample(
            state -> state.sortedMap("names", String.class, Item.class),
            (map, i) -> ((Map<Object, Object>) map).put("k" + i % 60, item(i))),
        new Sample(
            state -> state.sortedSet("ranks", Ranked.class),
            (set, i) -> ((Set<Object>) set).add(new Ranked(i))),
        new Sample(
            state -> state.list("list", Item.class),
            (list, i) -> ((List<Object>) list).add(i % 3, item(i))),
        new Sample(
            state -> state.deque("deque", 1_000, Item.class),
            (deque, i) -> {
              ((Deque<Object>) deque).addLast(item(i));
              if (i % 2 == 0) {
                ((Deque<Object>) deque).removeFirst();
              }
            }),
        new Sample(
            state -> state.value("value", Item.class),
            (value, i) -> ((Value<Object>) value).set(item(i))),
        new Sample(
            state -> state.map("plain", String.class, String.class),
            (map, i) -> ((Map<Object, Object>) map).put("k" + i % 60, "v" + i)),
        new Sample(
            state -> state.map("merged", String.class, Item.class),
            (map, i) -> ((TimedMap<Object, Item>) map).merge("k" + i % 9, item(i % 31), DEARER)));
  }

  private static Object declared(LocalHome home, Preparation preparation, Sample sample) {
    return preparation.declare(() -> {
      Object collection = sample.declaration.apply(home.state);
      home.upgrade();
      return collection;
    });
  }

  @Test
  void whatOthersWriteUntilItIsDeclaredIsThereLikeWhatTheyHadWrittenBefore() {
    here.state.register(DEARER);
    there.state.register(DEARER);
    there.upgrade();
    there.numbered(1).to(here);
    for (Sample sample : samples()) {
      Object original = sample.declaration.apply(here.state);
      write(sample, original, 0, 100);
      Preparation preparation = there.state.preparation();
      assertMissing(preparation, sample);
      int[] next = {100};
      preparation.complete(() -> {
        write(sample, original, next[0], next[0] + 20);
        next[0] += 20;
        return there.published();
      });
      write(sample, original, next[0], next[0] + 2);
      StateHashes hashes = there.state.hashes();
      hashes.advance(there.published());
      Version undeclared = there.published();

      READ.set(0);
      Object declared = declared(there, preparation, sample);
      assertThat(READ.get()).as("items read while others wait").isLessThan(50);

      hashes.upgrade(undeclared, there.published());
      assertThat(hashes.total()).isEqualTo(hashes().total());
      assertSame(original, declared);
      write(sample, original, 300, 310);
      write(sample, declared, 310, 320);
      assertThat(there.bytes()).isEqualTo(here.bytes());
      hashes.advance(there.published());
      StateHashes anew = there.state.hashes();
      anew.advance(there.published());
      assertThat(hashes.total()).isEqualTo(anew.total());
    }
  }

  private StateHashes hashes() {
    StateHashes hashes = here.state.hashes();
    hashes.advance(here.published());
    return hashes;
  }

  private static void write(Sample sample, Object collection, int from, int to) {
    for (int i = from; i < to; i++) {
      sample.writes.write(collection, i);
    }
  }

  private void assertMissing(Preparation preparation, Sample sample) {
    assertThatExceptionOfType(Preparation.Missing.class)
        .isThrownBy(() -> declared(there, preparation, sample));
  }

  private void assertSame(Object original, Object declared) {
    assertThat(declared).hasToString(original.toString());
    assertThat(there.published()).isEqualTo(here.published());
    assertThat(there.bytes()).isEqualTo(here.bytes());
    assertThat(there.state.contents(there.published()))
        .isEqualTo(here.state.contents(here.published()));
    there.nowMillis += 150;
    here.nowMillis += 150;
    there.expire();
    here.expire();
    assertThat(there.bytes()).isEqualTo(here.bytes());
  }

  @Test
  void whatIsDeclaredMeanwhileByAnotherThreadCounts() {
    Sample sample = samples().getFirst();
    Object original = sample.declaration.apply(here.state);
    write(sample, original, 0, 10);
    Preparation preparation = there.state.preparation();
    assertMissing(preparation, sample);
    preparation.complete(there::published);
    Map<Object, Object> wider =
        there.state.map("map", Object.class, Object.class, Ranked.class, Item.class);
    there.upgrade();
    wider.put("k3", new Ranked(1));
    wider.remove("k3");
    write(sample, original, 10, 12);
    ((Map<?, ?>) original).remove("k3");
    assertSame(original, declared(there, preparation, sample));
    assertThat(wider).isEqualTo(original);
  }

  @Test
  void whatNobodyFilledNeedsNoPreparation() {
    Sample sample = samples().getFirst();
    Collection<?> values =
        ((Map<?, ?>) declared(there, there.state.preparation(), sample)).values();
    assertThat(values).isEmpty();
  }

  /** As of a function, whatever many collections there are. */
  @Test
  void aMergeFunctionTouchesNothingThatDoesNotWaitForIt() {
    here.state.map("map", String.class, Item.class).put("a", item(1));
    here.state.map("leased", String.class, Item.class).put("a", item(1), Duration.ofSeconds(1));
    Version before = there.published();
    there.state.register(DEARER);
    there.upgrade();
    assertThat(there.published().sharedRoots())
        .usingElementComparator((one, other) -> one == other ? 0 : 1)
        .containsExactly(before.sharedRoots());
  }
}
