package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.tempest.state.ReadOnlyException;
import dev.tempest.state.TimedMap;
import dev.tempest.values.UnsupportedTypeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.concurrent.ConcurrentNavigableMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class SortedCollectionsTest {
  private final LocalHome home = new LocalHome();
  private final ConcurrentNavigableMap<String, Integer> map =
      home.state.sortedMap("map", String.class, Integer.class);
  private final NavigableSet<String> set = home.state.sortedSet("set", String.class);

  enum Size {
    SMALL,
    LARGE,
    HUGE
  }

  /** The class is abstract. */
  enum Step {
    BACK {
      @Override
      int from(int place) {
        return place - 1;
      }
    },
    ON {
      @Override
      int from(int place) {
        return place + 1;
      }
    };

    abstract int from(int place);
  }

  record Place(int row, int seat) {}

  /** A class that nobody declares. */
  record Undeclared(int number) implements Comparable<Undeclared> {
    @Override
    public int compareTo(Undeclared other) {
      return Integer.compare(number, other.number);
    }
  }

  @Test
  @SuppressWarnings("rawtypes") // As the short forms declare it.
  void aKeyOfAnUndeclaredClassIsRefusedWithAdvice() {
    Undeclared one = new Undeclared(1);
    ConcurrentNavigableMap<Comparable, Integer> any =
        home.state.sortedMap("any", Comparable.class, Integer.class);
    NavigableSet<Comparable> anySet = home.state.sortedSet("any-set", Comparable.class);
    List<ThrowingCallable> calls =
        List.of(
            () -> any.put(one, 1),
            () -> any.putIfAbsent(one, 1),
            () -> any.replace(one, 1),
            () -> any.merge(one, 1, Integer::sum),
            () -> any.compute(one, (key, value) -> 1),
            () -> any.computeIfAbsent(one, key -> 1),
            () -> any.descendingMap().put(one, 1),
            () -> any.headMap("x").put(one, 1),
            () -> any.headMap("x").compute(one, (key, value) -> 1),
            () -> any.lowerKey(one),
            () -> any.headMap(one),
            () -> anySet.add(one),
            () -> anySet.descendingSet().add(one),
            () -> anySet.ceiling(one));
    for (ThrowingCallable call : calls) {
      assertThatExceptionOfType(UnsupportedTypeException.class)
          .isThrownBy(call)
          .withMessageContaining("Undeclared is not declared: name the class where");
    }
    assertThat(any.containsKey(one)).isFalse();
    assertThat(anySet.remove(one)).isFalse();
  }

  @Test
  void theOrderIsTheNaturalOneWhereThereIsOne() {
    NavigableSet<Size> sizes = home.state.sortedSet("sizes", Size.class);
    sizes.addAll(List.of(Size.HUGE, Size.SMALL, Size.LARGE));
    assertThat(sizes).containsExactly(Size.SMALL, Size.LARGE, Size.HUGE);
    assertThat(sizes.comparator()).isNull();
    NavigableSet<Integer> numbers = home.state.sortedSet("numbers", Integer.class);
    numbers.addAll(List.of(300, -5, 0, 7));
    assertThat(numbers).containsExactly(-5, 0, 7, 300);
  }

  @Test
  void constantsWithBodiesAreKeysElementsAndValues() {
    NavigableSet<Step> steps = home.state.sortedSet("steps", Step.class);
    steps.addAll(List.of(Step.ON, Step.BACK));
    assertThat(steps).containsExactly(Step.BACK, Step.ON);
    Map<Step, Step> plain = home.state.map("plain", Step.class, Step.class);
    plain.put(Step.ON, Step.BACK);
    assertThat(plain).containsExactly(Map.entry(Step.ON, Step.BACK));
    home.take(home.bytes());
    assertThat(plain).containsExactly(Map.entry(Step.ON, Step.BACK));
  }

  @Test
  void keysWithoutAnOrderAreOrderedAllTheSame() {
    ConcurrentNavigableMap<Place, String> seats =
        home.state.sortedMap("seats", Place.class, String.class);
    for (int i = 0; i < 10; i++) {
      seats.put(new Place(i % 3, i), "guest " + i);
    }
    assertThat(seats).hasSize(10);
    assertThat(new ArrayList<>(seats.keySet()))
        .isSortedAccordingTo(Objects.requireNonNull(seats.comparator()));
    assertThat(seats.headMap(new Place(1, 4), true).get(new Place(1, 4))).isEqualTo("guest 4");
  }

  @Test
  void iteratorsWalkOverTheMomentWhenTheyWereMade() {
    map.putAll(Map.of("a", 1, "b", 2, "c", 3));
    List<String> seen = new ArrayList<>();
    for (Map.Entry<String, Integer> entry : map.tailMap("b").entrySet()) {
      seen.add(entry.toString());
      map.remove("c");
      map.put("bb", 4);
      entry.setValue(10 * entry.getValue());
    }
    assertThat(seen).containsExactly("b=2", "c=3");
    assertThat(map.toString()).isEqualTo("{a=1, b=20, bb=4, c=30}");
  }

  @Test
  void anIteratorRemovesWhatItGaveWhateverItsValueIsByNow() {
    map.putAll(Map.of("a", 1, "b", 2));
    Iterator<String> keys = map.keySet().iterator();
    keys.next();
    map.put("a", 5);
    keys.remove();
    assertThat(map.toString()).isEqualTo("{b=2}");
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(keys::remove);
  }

  @Test
  void entriesOfNavigationAreOfTheirMomentAndCannotBeSet() {
    map.put("a", 1);
    Map.Entry<String, Integer> first = map.firstEntry();
    map.put("a", 2);
    assertThat(first).isEqualTo(Map.entry("a", 1));
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> first.setValue(3));
  }

  @Test
  void whatLiesOutsideOfARangeIsRefusedInWords() {
    ConcurrentNavigableMap<String, Integer> range = map.subMap("b", "d");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> range.put("d", 1))
        .withMessage("key out of range: d is not within [b, d)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> range.tailMap("a"))
        .withMessage("key out of range: a is not a bound within [b, d)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> map.subMap("d", "b"))
        .withMessageStartingWith("inconsistent range");
    assertThatNullPointerException().isThrownBy(() -> map.subMap("a", null));
  }

  @Test
  void entriesThatAreOverAreNotSeenAndNotCounted() {
    TimedMap<String, Integer> timed = (TimedMap<String, Integer>) map;
    map.put("a", 1);
    timed.put("b", 2, Duration.ofSeconds(1));
    map.put("c", 3);
    timed.put("d", 4, Duration.ofSeconds(2));
    home.nowMillis += 1000;
    assertThat(map).hasSize(3);
    assertThat(map.toString()).isEqualTo("{a=1, c=3, d=4}");
    assertThat(map.higherKey("a")).isEqualTo("c");
    assertThat(map.headMap("c")).hasSize(1);
    assertThat(map.descendingMap().keySet().stream().toList()).containsExactly("d", "c", "a");
    home.nowMillis += 1000;
    assertThat(map.pollLastEntry()).isEqualTo(Map.entry("c", 3));
    assertThat(map.lastKey()).isEqualTo("a");
  }

  @Test
  void manyWritesAreOneActionAndOneChange() {
    LocalHome other = new LocalHome();
    NavigableSet<String> theirs = other.state.sortedSet("set", String.class);
    set.addAll(List.of("a", "b", "c", "d"));
    other.apply(home.written);
    assertThat(theirs).containsExactly("a", "b", "c", "d");

    set.tailSet("b").removeIf(element -> !element.equals("c"));
    other.apply(home.written);
    assertThat(theirs).containsExactly("a", "c");
  }

  @Test
  void aReadOnlyActionRefusesWritesThatWouldDoNothing() {
    VersionedState state = new VersionedState();
    ConcurrentNavigableMap<String, Integer> service =
        state.sortedMap("map", String.class, Integer.class);
    VersionedAction action = state.begin(state.emptyVersion(), 0, 0);
    service.put("b", 1);
    state.beginReadOnly(action.commit(), 0);
    ConcurrentNavigableMap<String, Integer> range = service.tailMap("b");
    assertThat(range.get("a")).isNull();
    List<Runnable> writes =
        List.of(
            () -> range.remove("a"),
            () -> range.remove("a", 1),
            () -> range.computeIfAbsent("a", key -> null),
            () -> range.computeIfPresent("a", (key, value) -> null),
            () -> range.compute("a", (key, value) -> null),
            () -> range.keySet().removeIf(key -> false),
            () -> range.values().removeAll(List.of()),
            () -> range.entrySet().retainAll(range.entrySet()),
            () -> range.tailMap("x").clear(),
            () -> range.tailMap("x").pollFirstEntry(),
            () -> range.tailMap("x").replaceAll((key, value) -> value));
    for (Runnable write : writes) {
      assertThatExceptionOfType(ReadOnlyException.class).isThrownBy(write::run);
    }
  }
}
