package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Random;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sorted collections beside those of the JDK: the same ranges of ranges in the same directions, the
 * same calls, and the same results or exceptions.
 */
class SortedModelTest {
  private static final int KEYS = 24;

  static LongStream seeds() {
    return Seeds.of(150);
  }

  /** Ours and one of the JDK, made the same way. */
  private record Pair<T>(T ours, T jdk) {
    /** What the function makes of both; null if it throws the same exception for both. */
    @Nullable Pair<T> derived(Function<T, T> function) {
      Object left = result(ours, function);
      Object right = result(jdk, function);
      if (left instanceof Class<?> || right instanceof Class<?>) {
        assertThat(left).isEqualTo(right);
        return null;
      }
      return new Pair<>(function.apply(ours), function.apply(jdk));
    }

    void same(Function<T, ? extends @Nullable Object> function) {
      assertThat(result(ours, function)).isEqualTo(result(jdk, function));
    }

    /** Or the class of what was thrown. */
    private static <T> @Nullable Object result(
        T of, Function<T, ? extends @Nullable Object> function) {
      try {
        return function.apply(of);
      } catch (RuntimeException thrown) {
        return thrown.getClass();
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void mapsDoWhatThoseOfTheJdkDo(long seed) {
    Random random = new Random(seed);
    Pair<ConcurrentNavigableMap<Integer, Integer>> whole =
        new Pair<>(
            state(seed).sortedMap("map", Integer.class, Integer.class),
            new ConcurrentSkipListMap<>());
    for (int step = 0; step < 200; step++) {
      Pair<ConcurrentNavigableMap<Integer, Integer>> view = whole;
      for (int depth = random.nextInt(4); depth > 0 && view != null; depth--) {
        view = view.derived(mapRange(random));
      }
      if (view != null) {
        view.same(random.nextInt(3) == 0 ? mapWrite(random) : mapCall(random));
        view.same(map -> new ArrayList<>(map.entrySet()));
        view.same(map -> map.size() + " " + map.isEmpty() + " " + map + " " + map.hashCode());
        assertThat(view.ours()).isEqualTo(view.jdk());
      }
      whole.same(map -> new ArrayList<>(map.keySet()));
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void setsDoWhatThoseOfTheJdkDo(long seed) {
    Random random = new Random(seed);
    Pair<NavigableSet<Integer>> whole =
        new Pair<>(state(seed).sortedSet("set", Integer.class), new ConcurrentSkipListSet<>());
    Pair<NavigableSet<Integer>> keys =
        new Pair<>(
            state(seed).sortedMap("map", Integer.class, Integer.class).navigableKeySet(),
            new ConcurrentSkipListMap<Integer, Integer>().navigableKeySet());
    for (int step = 0; step < 200; step++) {
      Pair<NavigableSet<Integer>> view = step % 8 == 0 ? keys : whole;
      for (int depth = random.nextInt(4); depth > 0 && view != null; depth--) {
        view = view.derived(setRange(random));
      }
      if (view != null) {
        view.same(setCall(random));
        view.same(set -> set.size() + " " + set.isEmpty() + " " + set + " " + set.hashCode());
        assertThat(view.ours()).isEqualTo(view.jdk());
      }
      whole.same(ArrayList::new);
    }
  }

  /** As ours do it: all or nothing. */
  private static boolean addAll(NavigableSet<Integer> set, List<Integer> added) {
    List<Integer> before = new ArrayList<>(set);
    try {
      return set.addAll(added);
    } catch (IllegalArgumentException outOfRange) {
      if (set instanceof ConcurrentSkipListSet) {
        set.retainAll(before);
      }
      throw outOfRange;
    }
  }

  private static VersionedState state(long seed) {
    if (seed % 2 == 0) {
      return new LocalHome().state;
    }
    // One action for all: declared after it has begun, as objects of nodes may be.
    LocalHome home = new LocalHome();
    home.enter();
    return home.state;
  }

  private static Function<
          ConcurrentNavigableMap<Integer, Integer>, ConcurrentNavigableMap<Integer, Integer>>
      mapRange(Random random) {
    Integer from = random.nextInt(KEYS);
    Integer to = random.nextInt(KEYS);
    boolean fromInclusive = random.nextBoolean();
    boolean toInclusive = random.nextBoolean();
    return switch (random.nextInt(7)) {
      case 0 -> ConcurrentNavigableMap::descendingMap;
      case 1 -> map -> map.subMap(from, fromInclusive, to, toInclusive);
      case 2 -> map -> map.headMap(to, toInclusive);
      case 3 -> map -> map.tailMap(from, fromInclusive);
      case 4 -> map -> map.subMap(from, to);
      case 5 -> map -> map.headMap(to);
      default -> map -> map.tailMap(from);
    };
  }

  private static Function<ConcurrentNavigableMap<Integer, Integer>, @Nullable Object> mapCall(
      Random random) {
    Integer key = random.nextInt(KEYS);
    Integer value = random.nextInt(4);
    return switch (random.nextInt(19)) {
      case 0 -> map -> map.get(key);
      case 1 -> map -> map.containsKey(key);
      case 2 -> map -> map.containsValue(value);
      case 3 -> map -> map.getOrDefault(key, -1);
      case 4 -> map -> map.lowerEntry(key) + " " + map.lowerKey(key);
      case 5 -> map -> map.floorEntry(key) + " " + map.floorKey(key);
      case 6 -> map -> map.ceilingEntry(key) + " " + map.ceilingKey(key);
      case 7 -> map -> map.higherEntry(key) + " " + map.higherKey(key);
      case 8 -> map -> map.firstEntry() + " " + map.lastEntry();
      case 9 -> ConcurrentNavigableMap::firstKey;
      case 10 -> ConcurrentNavigableMap::lastKey;
      case 11 -> map -> new ArrayList<>(map.descendingMap().entrySet());
      case 12 -> map -> new ArrayList<>(map.descendingKeySet());
      case 13 -> map -> new ArrayList<>(map.values());
      case 14 -> map -> forwardAndBack(map.navigableKeySet());
      case 15 ->
          map -> {
            List<Integer> all = new ArrayList<>();
            map.forEach((each, its) -> all.add(each * 10 + its));
            return all;
          };
      case 16 -> map -> map.entrySet().contains(Map.entry(key, value));
      case 17 -> map -> order(map.comparator(), key, value);
      default -> map -> map.keySet().stream().skip(1).map(each -> each * 2).toList();
    };
  }

  private static Function<ConcurrentNavigableMap<Integer, Integer>, @Nullable Object> mapWrite(
      Random random) {
    Integer key = random.nextInt(KEYS);
    Integer value = random.nextInt(4);
    return switch (random.nextInt(22)) {
      case 0, 1, 2, 3 -> map -> map.put(key, value);
      case 4 -> map -> map.putIfAbsent(key, value);
      case 5 -> map -> map.remove(key);
      case 6 -> map -> map.remove(key, value);
      case 7 -> map -> map.replace(key, value);
      case 8 -> map -> map.replace(key, value, 9);
      case 9 -> map -> map.computeIfAbsent(key, absent -> value == 0 ? null : absent);
      case 10 -> map -> map.computeIfPresent(key, (k, v) -> v > 1 ? null : v + 1);
      case 11 -> map -> map.compute(key, (k, v) -> v == null || v > 1 ? value : null);
      case 12 -> map -> map.compute(key, (k, v) -> null);
      case 13 -> map -> map.merge(key, value, (old, added) -> old > 2 ? null : old + added);
      case 14 -> ConcurrentNavigableMap::pollFirstEntry;
      case 15 -> ConcurrentNavigableMap::pollLastEntry;
      case 16 -> map -> map.values().removeIf(value::equals);
      case 17 -> map -> map.entrySet().removeIf(entry -> entry.getKey() % 4 == value);
      case 18 -> map -> removeEverySecond(map.keySet().iterator());
      case 19 ->
          map -> {
            map.replaceAll((each, old) -> (each + old) % 5);
            return null;
          };
      case 20 -> map -> map.keySet().retainAll(List.of(key, value, 1, 3, 5, 7, 11, 13, 17, 19));
      default ->
          map -> {
            if (value == 0) {
              map.clear();
            }
            return map.entrySet().remove(Map.entry(key, value));
          };
    };
  }

  private static Function<NavigableSet<Integer>, NavigableSet<Integer>> setRange(Random random) {
    Integer from = random.nextInt(KEYS);
    Integer to = random.nextInt(KEYS);
    boolean fromInclusive = random.nextBoolean();
    boolean toInclusive = random.nextBoolean();
    return switch (random.nextInt(7)) {
      case 0 -> NavigableSet::descendingSet;
      case 1 -> set -> set.subSet(from, fromInclusive, to, toInclusive);
      case 2 -> set -> set.headSet(to, toInclusive);
      case 3 -> set -> set.tailSet(from, fromInclusive);
      case 4 -> set -> (NavigableSet<Integer>) set.subSet(from, to);
      case 5 -> set -> (NavigableSet<Integer>) set.headSet(to);
      default -> set -> (NavigableSet<Integer>) set.tailSet(from);
    };
  }

  private static Function<NavigableSet<Integer>, @Nullable Object> setCall(Random random) {
    Integer key = random.nextInt(KEYS);
    Integer other = random.nextInt(KEYS);
    return switch (random.nextInt(20)) {
      case 0, 1, 2, 3 -> set -> set.add(key);
      case 4 -> set -> addAll(set, List.of(key, other));
      case 5 -> set -> set.remove(key);
      case 6 -> set -> set.contains(key);
      case 7 -> NavigableSet::first;
      case 8 -> NavigableSet::last;
      case 9 -> set -> set.lower(key) + " " + set.floor(key);
      case 10 -> set -> set.ceiling(key) + " " + set.higher(key);
      case 11 -> NavigableSet::pollFirst;
      case 12 -> NavigableSet::pollLast;
      case 13 -> SortedModelTest::forwardAndBack;
      case 14 -> set -> removeEverySecond(set.descendingIterator());
      case 15 -> set -> set.removeIf(each -> each % 5 == key % 5);
      case 16 -> set -> set.removeAll(List.of(key, other));
      case 17 -> set -> order(set.comparator(), key, other);
      case 18 -> set -> set.containsAll(List.of(key, other));
      default -> set -> set.stream().limit(3).toList();
    };
  }

  private static List<Integer> forwardAndBack(NavigableSet<Integer> set) {
    List<Integer> all = new ArrayList<>(set);
    set.descendingIterator().forEachRemaining(all::add);
    return all;
  }

  private static int removeEverySecond(Iterator<Integer> iterator) {
    int removed = 0;
    for (int i = 0; iterator.hasNext(); i++) {
      iterator.next();
      if (i % 2 == 1) {
        iterator.remove();
        removed++;
      }
    }
    return removed;
  }

  /** How a comparator orders, null for the natural order. */
  private static int order(
      @Nullable Comparator<? super Integer> comparator, Integer left, Integer right) {
    return comparator == null ? 7 : Integer.signum(comparator.compare(left, right));
  }
}
