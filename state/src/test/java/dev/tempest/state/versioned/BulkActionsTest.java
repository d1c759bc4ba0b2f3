package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a method of the JDK does to many elements is one action: all of it counts, or nothing. */
class BulkActionsTest {
  private static final int SIZE = 50;

  private final LocalHome home = new LocalHome();
  private final ConcurrentMap<Integer, Integer> map =
      home.state.map("map", Integer.class, Integer.class);
  private final ConcurrentNavigableMap<Integer, Integer> sorted =
      home.state.sortedMap("sorted", Integer.class, Integer.class);
  private final Set<Integer> set = home.state.set("set", Integer.class);
  private final NavigableSet<Integer> sortedSet = home.state.sortedSet("sorted-set", Integer.class);
  private final List<Integer> list = home.state.list("list", Integer.class);
  private final BlockingDeque<Integer> deque = home.state.deque("deque", 100, Integer.class);

  BulkActionsTest() {
    for (int i = 0; i < SIZE; i++) {
      map.put(i, i);
      sorted.put(i, i);
      set.add(i);
      sortedSet.add(i);
      list.add(i);
      deque.add(i);
    }
  }

  private static Named<Function<BulkActionsTest, Collection<Integer>>> named(
      String name, Function<BulkActionsTest, Collection<Integer>> view) {
    return Named.of(name, view);
  }

  static Stream<Named<Function<BulkActionsTest, Collection<Integer>>>> views() {
    return Stream.of(
        named("keys", all -> all.map.keySet()),
        named("values", all -> all.map.values()),
        named("sorted keys", all -> all.sorted.keySet()),
        named("sorted values", all -> all.sorted.values()),
        named("reversed keys", all -> all.sorted.reversed().keySet()),
        named("range", all -> all.sorted.tailMap(0).keySet()),
        named("set", all -> all.set),
        named("sorted set", all -> all.sortedSet),
        named("reversed set", all -> all.sortedSet.reversed()),
        named("list", all -> all.list),
        named("reversed list", all -> all.list.reversed()),
        named("part", all -> all.list.subList(0, SIZE)),
        named("deque", all -> all.deque),
        named("reversed deque", all -> all.deque.reversed()));
  }

  @ParameterizedTest
  @MethodSource("views")
  void oneActionRemovesMany(Function<BulkActionsTest, Collection<Integer>> view) {
    Collection<Integer> viewed = view.apply(this);
    int before = home.actions;
    viewed.removeIf(each -> each % 2 == 0);
    assertThat(home.actions).isEqualTo(before + 1);
    viewed.removeAll(List.of(1, 3, 5));
    assertThat(home.actions).isEqualTo(before + 2);
    viewed.retainAll(List.of(7, 9));
    assertThat(home.actions).isEqualTo(before + 3);
    assertThat(viewed).containsExactlyInAnyOrder(7, 9);
  }

  @ParameterizedTest
  @MethodSource("views")
  void aConditionThatThrowsRemovesNothing(Function<BulkActionsTest, Collection<Integer>> view) {
    Collection<Integer> viewed = view.apply(this);
    int[] asked = {0};
    assertThatIllegalStateException()
        .isThrownBy(() ->
            viewed.removeIf(each -> {
              if (++asked[0] > SIZE / 2) {
                throw new IllegalStateException("of a test");
              }
              return true;
            }));
    assertThat(viewed).hasSize(SIZE);
    assertThatExceptionOfType(NullPointerException.class)
        .isThrownBy(
            () -> viewed.removeAll(List.of(3, 7).stream().map(BulkActionsTest::odd).toList()));
    assertThat(viewed).hasSize(SIZE);
  }

  private static Integer odd(int number) {
    throw new NullPointerException("not known: " + number);
  }

  @Test
  void oneActionWorksOnEntries() {
    int before = home.actions;
    map.entrySet().removeIf(entry -> entry.getKey() < 10);
    map.entrySet().removeAll(Set.of(Map.entry(10, 10), Map.entry(11, 0)));
    map.entrySet().retainAll(Set.of(Map.entry(11, 11), Map.entry(12, 12)));
    assertThat(home.actions).isEqualTo(before + 3);
    assertThat(map).containsExactlyInAnyOrderEntriesOf(Map.of(11, 11, 12, 12));
  }

  @Test
  void whatCannotBePutAsAWholeIsNotPutInPart() {
    Map<Integer, Integer> some = new LinkedHashMap<>();
    some.put(1_000, 1);
    some.put(1_001, null);
    List<Integer> elements = new ArrayList<>(List.of(1_000));
    elements.add(null);
    int before = home.actions;

    for (Map<Integer, Integer> into : List.of(map, sorted, sorted.descendingMap())) {
      assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> into.putAll(some));
    }
    for (Collection<Integer> into : List.of(set, sortedSet, list, deque, list.reversed())) {
      assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> into.addAll(elements));
    }
    assertThat(map).hasSize(SIZE);
    assertThat(sorted).hasSize(SIZE);
    assertThat(set).hasSize(SIZE);
    assertThat(sortedSet).hasSize(SIZE);
    assertThat(list).hasSize(SIZE);
    assertThat(deque).hasSize(SIZE);
    some.remove(1_001);
    map.putAll(some);
    assertThat(map).hasSize(SIZE + 1);
    assertThat(home.actions).isGreaterThan(before);
  }

  @Test
  void aFunctionThatThrowsReplacesNothing() {
    for (Map<Integer, Integer> each : List.of(map, sorted, sorted.descendingMap())) {
      assertThatIllegalStateException()
          .isThrownBy(() ->
              each.replaceAll((key, value) -> {
                if (key == SIZE / 2) {
                  throw new IllegalStateException("of a test");
                }
                return -value - 1;
              }));
      assertThat(each.values()).allMatch(value -> value >= 0);
    }
  }

  @Test
  void anOperatorOrOrderThatThrowsChangesNoElement() {
    List<Integer> before = List.copyOf(list);
    int[] asked = {0};
    for (List<Integer> each : List.of(list, list.reversed(), list.subList(0, SIZE))) {
      assertThatIllegalStateException()
          .isThrownBy(() -> each.replaceAll(element -> failing(asked, -element - 1)));
      assertThatIllegalStateException()
          .isThrownBy(
              () -> each.sort((left, right) -> failing(asked, Integer.compare(right, left))));
      assertThat(list).containsExactlyElementsOf(before);
    }
    assertThat(home.actions).isGreaterThan(0);
  }

  @Test
  void aFunctionThatThrowsChangesNoEntry() {
    int[] asked = {0};
    for (Map<Integer, Integer> each : List.of(map, sorted, sorted.descendingMap())) {
      assertThatIllegalStateException()
          .isThrownBy(() -> each.entrySet().removeIf(entry -> failing(asked, 1) == 1));
      assertThat(each).hasSize(SIZE);
      assertThatIllegalStateException()
          .isThrownBy(() ->
              home.state.atOnce(action -> {
                each.entrySet().forEach(entry -> entry.setValue(failing(asked, -1)));
                return true;
              }));
      assertThat(each.values()).allMatch(value -> value >= 0);
      Collection<Object> notToBeHad =
          new AbstractList<>() {
            @Override
            public Object get(int index) {
              return failing(asked, index);
            }

            @Override
            public int size() {
              return SIZE;
            }
          };
      assertThatIllegalStateException().isThrownBy(() -> each.entrySet().removeAll(notToBeHad));
      assertThatIllegalStateException().isThrownBy(() -> each.entrySet().retainAll(notToBeHad));
      assertThat(each).hasSize(SIZE);
    }
  }

  /** Throws each time it has been asked so often. */
  private static int failing(int[] asked, int result) {
    if (++asked[0] % (SIZE / 2) == 0) {
      throw new IllegalStateException("of a test");
    }
    return result;
  }

  @Test
  void whatABatchWroteBeforeStays() {
    home.state.atOnce(action -> {
      map.put(1_000, 1);
      assertThatIllegalStateException()
          .isThrownBy(() ->
              map.values()
                  .removeIf(value -> {
                    if (value == 1) {
                      throw new IllegalStateException("of a test");
                    }
                    return true;
                  }));
      map.put(1_001, 1);
      return true;
    });
    assertThat(map).hasSize(SIZE + 2).containsKeys(1_000, 1_001);
  }

  @Test
  void aComparatorThatChangesWhatItComparesChangesNothingStored() {
    List<int[]> arrays = home.state.list("arrays", int[].class);
    arrays.add(new int[] {2});
    arrays.add(new int[] {1});
    arrays.sort((left, right) -> {
      int order = Integer.compare(left[0], right[0]);
      left[0] = 100 + left[0];
      return order;
    });
    assertThat(arrays.stream().map(array -> array[0])).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void aValueIsFoundByItsContents() {
    Map<Integer, byte[]> bytes = home.state.map("bytes", Integer.class, byte[].class);
    bytes.put(1, new byte[] {7});
    assertThat(bytes.containsValue(new byte[] {7})).isTrue();
    assertThat(bytes.values().contains(new byte[] {7})).isTrue();
    assertThat(bytes.containsValue(new byte[] {8})).isFalse();
  }
}
