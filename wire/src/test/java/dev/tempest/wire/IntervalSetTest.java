package dev.tempest.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class IntervalSetTest {
  /** So few numbers that intervals often touch, join and split. */
  private static final int NUMBERS = 24;

  static LongStream seeds() {
    return Seeds.of(30);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void behavesLikeASetOfNumbers(long seed) {
    behavesLikeASetOfNumbers(new SplittableRandom(seed), 1);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void behavesLikeASetOfTheLargestNumbers(long seed) {
    behavesLikeASetOfNumbers(new SplittableRandom(seed), Long.MAX_VALUE - NUMBERS + 1);
  }

  private static void behavesLikeASetOfNumbers(SplittableRandom random, long lowest) {
    IntervalSet set = new IntervalSet();
    NavigableSet<Long> model = new TreeSet<>();
    for (int step = 0; step < 200; step++) {
      long number = lowest + random.nextInt(NUMBERS);
      switch (random.nextInt(6)) {
        case 0, 1 -> assertThat(set.add(number)).isEqualTo(model.add(number));
        case 2 -> assertThat(set.remove(number)).isEqualTo(model.remove(number));
        case 3 -> append(set, model, number, lowest + random.nextInt(NUMBERS));
        case 4 -> {
          NavigableSet<Long> other = numbers(random, lowest);
          set.addAll(of(other));
          model.addAll(other);
        }
        default -> {
          NavigableSet<Long> other = numbers(random, lowest);
          set = set.without(of(other));
          model.removeAll(other);
        }
      }
      assertSame(set, model, lowest);
    }
  }

  private static void append(IntervalSet set, NavigableSet<Long> model, long first, long last) {
    if (first <= last && (model.isEmpty() || first > model.last())) {
      set.append(first, last);
      for (long number = first; number < last; number++) {
        model.add(number);
      }
      model.add(last);
    } else {
      IntervalSet before = set.copy();
      assertThatIllegalArgumentException().isThrownBy(() -> set.append(first, last));
      assertThat(set).isEqualTo(before);
    }
  }

  private static void assertSame(IntervalSet set, NavigableSet<Long> model, long lowest) {
    List<Long> numbers = new ArrayList<>();
    set.forEach(numbers::add);
    assertThat(numbers).containsExactlyElementsOf(model);
    assertThat(set.isEmpty()).isEqualTo(model.isEmpty());
    List<Long> contained =
        LongStream.range(0, NUMBERS).map(i -> lowest + i).filter(set::contains).boxed().toList();
    assertThat(contained).containsExactlyElementsOf(model);
    for (int i = 0; i < set.intervals(); i++) {
      assertThat(set.first(i)).isBetween(1L, set.last(i));
      if (i > 0) {
        assertThat(set.first(i) - set.last(i - 1)).as("gap in %s", set).isGreaterThan(1);
      }
    }
    IntervalSet rebuilt = of(model);
    assertThat(set).isEqualTo(rebuilt).hasSameHashCodeAs(rebuilt).hasToString(rebuilt.toString());
    IntervalSet copy = set.copy();
    assertThat(copy).isEqualTo(set);
    if (copy.remove(lowest)) {
      assertThat(set.contains(lowest)).as("a copy is independent").isTrue();
      assertThat(copy).isNotEqualTo(set);
    }
    IntervalSet doubled = set.copy();
    doubled.addAll(doubled);
    assertThat(doubled).isEqualTo(set);
    assertThat(set.without(set).isEmpty()).isTrue();
  }

  private static NavigableSet<Long> numbers(SplittableRandom random, long lowest) {
    NavigableSet<Long> numbers = new TreeSet<>();
    for (int more = random.nextInt(8); more > 0; more--) {
      numbers.add(lowest + random.nextInt(NUMBERS));
    }
    return numbers;
  }

  private static IntervalSet of(NavigableSet<Long> numbers) {
    IntervalSet set = new IntervalSet();
    numbers.forEach(set::add);
    return set;
  }

  @Test
  void numbersAreCountedFromOne() {
    IntervalSet set = new IntervalSet();
    assertThatIllegalArgumentException().isThrownBy(() -> set.add(0));
    assertThatIllegalArgumentException().isThrownBy(() -> set.append(0, 3));
    assertThatIllegalArgumentException().isThrownBy(() -> IntervalSet.of(3, 2));
    assertThat(set.contains(0)).isFalse();
    assertThat(set.remove(0)).isFalse();
    assertThat(set.isEmpty()).isTrue();
  }

  @Test
  void whatOneClientNumberedInTurnTakesOneInterval() {
    IntervalSet set = new IntervalSet();
    for (long number = 1; number <= 100_000; number++) {
      set.add(number);
    }
    assertThat(set.intervals()).isEqualTo(1);
    assertThat(set).isEqualTo(IntervalSet.of(1, 100_000)).hasToString("{1..100000}");
    set.remove(5);
    assertThat(set).hasToString("{1..4, 6..100000}");
  }

  @Test
  void theWholeRangeIsOneInterval() {
    IntervalSet all = IntervalSet.of(1, Long.MAX_VALUE);
    assertThat(all.without(IntervalSet.of(3, Long.MAX_VALUE))).isEqualTo(IntervalSet.of(1, 2));
    assertThat(IntervalSet.of(3, Long.MAX_VALUE).without(all).isEmpty()).isTrue();
    assertThat(all.contains(Long.MAX_VALUE)).isTrue();
  }
}
