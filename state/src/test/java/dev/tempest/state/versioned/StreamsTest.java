package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Spliterator;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A stream over a collection, or over any view of one, shows one version, and all of it. */
class StreamsTest {
  private static final int SIZE = 100;
  private static final Terms BRIEF = new Terms(new Lifetime(1_000, 0, 0), false);

  /** All collections of one name are filled and emptied together. */
  static final class Collections {
    final LocalHome home = new LocalHome();
    final ConcurrentMap<Integer, Integer> map =
        home.with("map", BRIEF).state.map("map", Integer.class, Integer.class);
    final Collection<Integer> set = home.with("set", BRIEF).state.set("set", Integer.class);
    final List<Integer> list = home.with("list", BRIEF).state.list("list", Integer.class);
    final BlockingDeque<Integer> deque =
        home.with("deque", BRIEF).state.deque("deque", 1_000, Integer.class);
    final ConcurrentNavigableMap<Integer, Integer> sorted =
        home.with("sorted", BRIEF).state.sortedMap("sorted", Integer.class, Integer.class);

    void fill() {
      for (int i = 0; i < SIZE; i++) {
        add(i);
      }
    }

    void add(int i) {
      map.put(i, i);
      set.add(i);
      list.add(i);
      deque.add(i);
      sorted.put(i, i);
    }

    /** As another thread may between any two looks of this one. */
    void addOrRemove() {
      if (list.size() == SIZE) {
        list.clear();
        map.clear();
        set.clear();
        deque.clear();
        sorted.clear();
      } else {
        home.state.atOnce(action -> {
          fill();
          return true;
        });
      }
    }
  }

  private static Named<Function<Collections, Collection<?>>> named(
      String name, Function<Collections, Collection<?>> view) {
    return Named.of(name, view);
  }

  static Stream<Named<Function<Collections, Collection<?>>>> views() {
    return Stream.of(
        named("keys", all -> all.map.keySet()),
        named("values", all -> all.map.values()),
        named("entries", all -> all.map.entrySet()),
        named("set", all -> all.set),
        named("list", all -> all.list),
        named("reversed list", all -> all.list.reversed()),
        named("deque", all -> all.deque),
        named("reversed deque", all -> all.deque.reversed()),
        named("sorted keys", all -> all.sorted.keySet()),
        named("sorted values", all -> all.sorted.values()),
        named("sorted entries", all -> all.sorted.entrySet()),
        named("reversed sorted keys", all -> all.sorted.descendingKeySet()),
        named("reversed sorted values", all -> all.sorted.reversed().sequencedValues()));
  }

  @ParameterizedTest
  @MethodSource("views")
  void showOneVersionWhatOthersWriteMeanwhile(Function<Collections, Collection<?>> view) {
    Collections all = new Collections();
    Collection<?> viewed = view.apply(all);
    all.home.meanwhile = all::addOrRemove;
    for (int i = 0; i < 4; i++) {
      assertThat(viewed.stream().map(each -> each).toList().size()).isIn(0, SIZE);
      assertThat(viewed.parallelStream().toArray()).doesNotContainNull();
      assertThat(viewed.stream().count()).isIn(0L, (long) SIZE);
      assertThat(viewed.toArray()).doesNotContainNull();
      assertThat(new ArrayList<>(viewed).size()).isIn(0, SIZE);
    }
  }

  @ParameterizedTest
  @MethodSource("views")
  void doNotShowWhatIsOver(Function<Collections, Collection<?>> view) {
    Collections all = new Collections();
    all.fill();
    all.home.nowMillis += 999;
    all.add(SIZE);
    all.home.nowMillis++;
    Collection<?> viewed = view.apply(all);

    assertThat(viewed.stream().map(each -> each).toList()).hasSize(1);
    assertThat(viewed.parallelStream().toArray()).hasSize(1).doesNotContainNull();
    assertThat(viewed.stream().count()).isEqualTo(1);
    assertThat(viewed.size()).isEqualTo(1);
    assertThat(viewed.spliterator().getExactSizeIfKnown()).isEqualTo(1);
    all.home.nowMillis += 999;
    assertThat(viewed.stream()).isEmpty();
    assertThat(viewed.isEmpty()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("views")
  void startWithWhatIsThereWhenTheyAreUsed(Function<Collections, Collection<?>> view) {
    Collections all = new Collections();
    Stream<?> stream = view.apply(all).stream();
    all.fill();
    assertThat(stream.map(each -> each).toList()).hasSize(SIZE);
  }

  @ParameterizedTest
  @MethodSource("views")
  void splitIntoPartsOfKnownSize(Function<Collections, Collection<?>> view) {
    Collections all = new Collections();
    all.fill();
    Spliterator<?> rest = view.apply(all).spliterator();
    assertThat(rest.hasCharacteristics(Spliterator.SUBSIZED | Spliterator.NONNULL)).isTrue();
    Spliterator<?> first = Objects.requireNonNull(rest.trySplit());
    assertThat(first.getExactSizeIfKnown() + rest.getExactSizeIfKnown()).isEqualTo(SIZE);
    List<Object> seen = new ArrayList<>();
    first.forEachRemaining(seen::add);
    rest.forEachRemaining(seen::add);
    assertThat(seen).hasSize(SIZE).doesNotHaveDuplicates();
  }

  @Test
  void aReversedListIsTheListBackwards() {
    Collections all = new Collections();
    List<Integer> reversed = all.list.reversed();
    List<Integer> model = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      reversed.add(i);
      model.addFirst(i);
    }
    reversed.addAll(3, List.of(30, 31));
    model.addAll(7, List.of(31, 30));
    assertThat(all.list).isEqualTo(model);
    assertThat(reversed).isEqualTo(model.reversed());
    reversed.add(0, 50);
    reversed.subList(2, 5).clear();
    reversed.set(1, 60);
    model.reversed().add(0, 50);
    model.reversed().subList(2, 5).clear();
    model.reversed().set(1, 60);
    assertThat(all.list).isEqualTo(model);
    assertThat(reversed.indexOf(60)).isEqualTo(1);
    assertThat(reversed.getFirst()).isEqualTo(model.getLast());
    reversed.sort(Comparator.naturalOrder());
    assertThat(all.list).isSortedAccordingTo(Comparator.reverseOrder());
    assertThat(reversed.reversed()).isEqualTo(all.list);
    Integer first = all.list.getLast();
    assertThat(reversed.removeFirst()).isEqualTo(first);
    assertThat(all.list).doesNotContain(first);
  }

  @Test
  void aReversedDequeIsTheDequeFromItsOtherEnd() throws InterruptedException {
    Collections all = new Collections();
    all.deque.addAll(List.of(1, 2, 3));
    BlockingDeque<Integer> reversed = (BlockingDeque<Integer>) all.deque.reversed();
    reversed.addFirst(4);
    reversed.put(0);
    assertThat(all.deque).containsExactly(0, 1, 2, 3, 4);
    assertThat(reversed.take()).isEqualTo(4);
    assertThat(reversed.pollLast()).isEqualTo(0);
    assertThat(reversed).containsExactly(3, 2, 1);
    assertThat(reversed.descendingIterator()).toIterable().containsExactly(1, 2, 3);
    assertThat(reversed.remainingCapacity()).isEqualTo(997);
  }

  @Test
  void aParallelStreamSeesEveryElement() {
    Collections all = new Collections();
    all.fill();
    int sum = IntStream.range(0, SIZE).sum();
    assertThat(all.map.values().parallelStream().mapToInt(value -> value).sum()).isEqualTo(sum);
    assertThat(Arrays.stream(all.set.parallelStream().toArray()).distinct()).hasSize(SIZE);
  }
}
