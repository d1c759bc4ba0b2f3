package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What java.util documents of views, spliterators and waiting queues, where no suite tests it. */
class DocumentedTest {
  private final LocalHome home = new LocalHome();
  private final ConcurrentMap<Integer, Integer> map =
      home.state.map("map", Integer.class, Integer.class);
  private final ConcurrentNavigableMap<Integer, Integer> sorted =
      home.state.sortedMap("sorted", Integer.class, Integer.class);
  private final List<Integer> list = home.state.list("list", Integer.class);
  private final BlockingDeque<Integer> deque = home.state.deque("deque", 8, Integer.class);

  DocumentedTest() {
    for (int i = 0; i < 4; i++) {
      map.put(i, i);
      sorted.put(i, i);
      list.add(i);
      deque.add(i);
    }
  }

  private static Named<Function<DocumentedTest, Collection<?>>> named(
      String name, Function<DocumentedTest, Collection<?>> view) {
    return Named.of(name, view);
  }

  static Stream<Named<Function<DocumentedTest, Collection<?>>>> viewsOfMaps() {
    return Stream.of(
        named("keys", all -> all.map.keySet()),
        named("values", all -> all.map.values()),
        named("entries", all -> all.map.entrySet()),
        named("sorted keys", all -> all.sorted.keySet()),
        named("sorted values", all -> all.sorted.values()),
        named("sorted entries", all -> all.sorted.descendingMap().entrySet()));
  }

  static Stream<Named<Function<DocumentedTest, Collection<?>>>> views() {
    return Stream.concat(
        viewsOfMaps(),
        Stream.of(
            named("list", all -> all.list),
            named("reversed list", all -> all.list.reversed()),
            named("deque", all -> all.deque),
            named("reversed deque", all -> all.deque.reversed())));
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // What is refused.
  private static <T> T none() {
    @Nullable T none = null;
    return none;
  }

  @ParameterizedTest
  @MethodSource("viewsOfMaps")
  @SuppressWarnings("unchecked") // What is refused.
  void viewsOfMapsTakeNothing(Function<DocumentedTest, Collection<?>> view) {
    Collection<Object> viewed = (Collection<Object>) view.apply(this);
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> viewed.add(Map.entry(7, 7)));
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> viewed.addAll(List.of(7)));
    assertThat(viewed).hasSize(4);
    viewed.clear();
    assertThat(viewed).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("views")
  void anIteratorRemovesOnceWhatItReturnedLast(Function<DocumentedTest, Collection<?>> view) {
    Collection<?> viewed = view.apply(this);
    Iterator<?> iterator = viewed.iterator();
    assertThatIllegalStateException().isThrownBy(iterator::remove);
    Object first = iterator.next();
    iterator.remove();
    assertThatIllegalStateException().isThrownBy(iterator::remove);
    assertThat(viewed.contains(first)).isFalse();
    assertThat(viewed).hasSize(3);
    iterator.forEachRemaining(each -> {});
    assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(iterator::next);
  }

  @ParameterizedTest
  @MethodSource("views")
  void whatIsToBeDoneIsNotNull(Function<DocumentedTest, Collection<?>> view) {
    Collection<?> viewed = view.apply(this);
    assertThatNullPointerException().isThrownBy(() -> viewed.removeIf(none()));
    assertThatNullPointerException().isThrownBy(() -> viewed.removeAll(none()));
    assertThatNullPointerException().isThrownBy(() -> viewed.retainAll(none()));
    assertThatNullPointerException().isThrownBy(() -> viewed.forEach(none()));
    assertThatNullPointerException().isThrownBy(() -> viewed.toArray((Object[]) none()));
    assertThatNullPointerException().isThrownBy(() -> viewed.spliterator().tryAdvance(none()));
    assertThatNullPointerException()
        .isThrownBy(() -> viewed.spliterator().forEachRemaining(none()));
    assertThat(viewed).hasSize(4);
  }

  @ParameterizedTest
  @MethodSource("views")
  void aSpliteratorThatIsNotSortedHasNoComparator(Function<DocumentedTest, Collection<?>> view) {
    Spliterator<?> spliterator = view.apply(this).spliterator();
    if (!spliterator.hasCharacteristics(Spliterator.SORTED)) {
      assertThatIllegalStateException().isThrownBy(spliterator::getComparator);
    }
    assertThat(spliterator.estimateSize()).isEqualTo(4);
  }

  @Test
  void queuesRefuseNullAndThemselves() {
    List<ThrowingCallable> refused =
        List.of(
            () -> deque.offer(none()),
            () -> deque.offer(none(), 1, TimeUnit.DAYS),
            () -> deque.offerFirst(none(), 0, TimeUnit.DAYS),
            () -> deque.put(none()),
            () -> deque.putFirst(none()),
            () -> deque.push(none()),
            () -> deque.poll(1, none()),
            () -> deque.offer(7, 1, none()),
            () -> deque.drainTo(none()),
            () -> deque.drainTo(none(), 1));
    for (ThrowingCallable each : refused) {
      assertThatNullPointerException().isThrownBy(each);
    }
    assertThat(deque).containsExactly(0, 1, 2, 3);
    assertThat(deque.contains(none())).isFalse();
    assertThat(deque.remove(none())).isFalse();
  }

  @Test
  void setValueOfAnEntryWritesToTheMap() {
    for (Map<Integer, Integer> each : List.of(map, sorted, sorted.descendingMap())) {
      each.entrySet().forEach(entry -> entry.setValue(entry.getKey() * 10));
      assertThat(each).containsEntry(3, 30).containsEntry(0, 0);
      assertThatNullPointerException()
          .isThrownBy(() -> each.entrySet().iterator().next().setValue(none()));
    }
  }

  @Test
  void aValueIsRemovedOnce() {
    map.put(7, 1);
    assertThat(map.values().remove(1)).isTrue();
    assertThat(map.values().contains(1)).isTrue();
    assertThat(map.values().remove(1)).isTrue();
    assertThat(map.values().remove(1)).isFalse();
    assertThat(map).hasSize(3);
  }
}
