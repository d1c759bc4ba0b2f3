package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.google.common.collect.testing.SpliteratorTester;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SortedSpliteratorTest {
  private static final int SORTED =
      Spliterator.ORDERED
          | Spliterator.SORTED
          | Spliterator.DISTINCT
          | Spliterator.NONNULL
          | Spliterator.SIZED
          | Spliterator.SUBSIZED;

  private final ConcurrentNavigableMap<Integer, String> map =
      new LocalHome().state.sortedMap("map", Integer.class, String.class);

  SortedSpliteratorTest() {
    for (int i = 0; i < 100; i++) {
      map.put(i, "value " + i);
    }
  }

  @Test
  void splitsInAnyWayAndMissesNothing() {
    List<Integer> rising = IntStream.range(20, 60).boxed().toList();
    List<Integer> falling = IntStream.range(20, 60).map(i -> 79 - i).boxed().toList();
    ConcurrentNavigableMap<Integer, String> range = map.subMap(20, 60);
    SpliteratorTester.of(() -> range.keySet().spliterator()).expect(rising).inOrder();
    SpliteratorTester.of(() -> range.descendingKeySet().spliterator()).expect(falling).inOrder();
    SpliteratorTester.of(() -> range.values().spliterator())
        .expect(rising.stream().map(i -> "value " + i).toList())
        .inOrder();
    SpliteratorTester.of(() -> range.entrySet().spliterator())
        .expect(rising.stream().map(i -> Map.entry(i, "value " + i)).toList())
        .inOrder();
  }

  @Test
  void splitsWhatIsLeftInHalf() {
    Spliterator<Integer> keys = map.keySet().spliterator();
    keys.tryAdvance(first -> assertThat(first).isZero());
    keys.tryAdvance(second -> assertThat(second).isEqualTo(1));
    assertThat(keys.getExactSizeIfKnown()).isEqualTo(98);

    Spliterator<Integer> prefix = Objects.requireNonNull(keys.trySplit());
    assertThat(prefix.getExactSizeIfKnown()).isEqualTo(49);
    assertThat(keys.getExactSizeIfKnown()).isEqualTo(49);
    List<Integer> seen = new ArrayList<>();
    prefix.forEachRemaining(seen::add);
    keys.forEachRemaining(seen::add);
    assertThat(seen).isEqualTo(IntStream.range(2, 100).boxed().toList());
    assertThat(keys.trySplit()).isNull();
    assertThat(keys.tryAdvance(seen::add)).isFalse();
  }

  @Test
  void saysWhatItKnowsOfItsElements() {
    Spliterator<Integer> keys = map.keySet().spliterator();
    assertThat(keys.hasCharacteristics(SORTED)).isTrue();
    assertThat(keys.getComparator()).isNull();
    assertThat(Objects.requireNonNull(keys.trySplit()).hasCharacteristics(SORTED)).isTrue();

    Comparator<? super Integer> falling =
        map.descendingMap().keySet().spliterator().getComparator();
    assertThat(Objects.requireNonNull(falling).compare(1, 2)).isPositive();

    Spliterator<Map.Entry<Integer, String>> entries = map.descendingMap().entrySet().spliterator();
    assertThat(entries.hasCharacteristics(SORTED)).isTrue();
    Comparator<? super Map.Entry<Integer, String>> order = entries.getComparator();
    assertThat(Objects.requireNonNull(order).compare(Map.entry(1, "b"), Map.entry(2, "a")))
        .isPositive();

    Spliterator<String> values = map.values().spliterator();
    assertThat(values.hasCharacteristics(Spliterator.ORDERED | Spliterator.SIZED)).isTrue();
    assertThat(values.hasCharacteristics(Spliterator.SORTED)).isFalse();
    assertThat(values.hasCharacteristics(Spliterator.DISTINCT)).isFalse();
    assertThatIllegalStateException().isThrownBy(values::getComparator);
  }

  @Test
  void aStreamSeesTheContentsOfTheMomentWhenItStarts() {
    Stream<Integer> keys = map.keySet().stream();
    map.remove(0);
    map.put(100, "value 100");
    assertThat(keys.peek(key -> map.remove(key + 1)).toList())
        .isEqualTo(IntStream.rangeClosed(1, 100).boxed().toList());
    assertThat(map).hasSize(1).containsKey(1);
  }

  @Test
  void parallelStreamsKeepTheOrder() {
    assertThat(map.tailMap(10).descendingMap().keySet().parallelStream().map(key -> key * 2))
        .isEqualTo(IntStream.range(10, 100).map(i -> 2 * (109 - i)).boxed().toList());
    assertThat(map.values().parallelStream().filter(value -> value.endsWith("7")).findFirst())
        .contains("value 7");
  }
}
