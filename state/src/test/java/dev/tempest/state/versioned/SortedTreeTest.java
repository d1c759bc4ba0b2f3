package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SortedTreeTest {
  private static final Comparator<Integer> FALLING = Comparator.reverseOrder();

  static LongStream seeds() {
    return Seeds.of(200);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void doesWhatATreeMapDoesAndStaysBalanced(long seed) {
    Random random = new Random(seed);
    Comparator<Integer> order = seed % 2 == 0 ? Comparator.naturalOrder() : FALLING;
    int keyCount = 1 + random.nextInt(1 << random.nextInt(9));
    SortedTree<Integer, Integer> tree = SortedTree.empty(order);
    TreeMap<Integer, Integer> model = new TreeMap<>(order);
    for (int step = 0; step < 300; step++) {
      // Every third run at rising keys: the worst case of a tree that does not balance itself.
      Integer key = seed % 3 == 0 ? step % keyCount : random.nextInt(keyCount);
      SortedTree<Integer, Integer> before = tree;
      if (random.nextInt(100) < (step % 100 < 60 ? 75 : 25)) {
        Integer value = random.nextInt(3); // Cached by the JDK: equal ones are the same.
        tree = tree.put(key, value);
        assertThat(tree == before).isEqualTo(value.equals(model.put(key, value)));
      } else {
        tree = tree.remove(key);
        assertThat(tree == before).isEqualTo(model.remove(key) == null);
      }
      TreeInvariants.check(tree);
      assertThat(tree.size()).isEqualTo(model.size());
      assertThat(entries(tree.cursor())).isEqualTo(entries(model));
    }
    navigatesLike(model, tree, keyCount, random);
  }

  private static void navigatesLike(
      NavigableMap<Integer, Integer> model,
      SortedTree<Integer, Integer> tree,
      int keys,
      Random random) {
    assertThat(entry(tree.first())).isEqualTo(model.firstEntry());
    assertThat(entry(tree.last())).isEqualTo(model.lastEntry());
    List<Integer> rising = new ArrayList<>(model.keySet());
    for (int index = 0; index < rising.size(); index++) {
      assertThat(tree.at(index).key).isEqualTo(rising.get(index));
    }
    for (int key = -1; key <= keys; key++) {
      assertThat(tree.get(key)).isEqualTo(model.get(key));
      assertThat(entry(tree.find(key)) != null).isEqualTo(model.containsKey(key));
      assertThat(entry(tree.lower(key))).isEqualTo(model.lowerEntry(key));
      assertThat(entry(tree.floor(key))).isEqualTo(model.floorEntry(key));
      assertThat(entry(tree.ceiling(key))).isEqualTo(model.ceilingEntry(key));
      assertThat(entry(tree.higher(key))).isEqualTo(model.higherEntry(key));
      assertThat(tree.rank(key)).isEqualTo(model.headMap(key).size());
    }
    for (int i = 0; i < 50; i++) {
      Integer from = random.nextInt(keys + 2) - 1;
      Integer to = random.nextInt(keys + 2) - 1;
      boolean fromInclusive = random.nextBoolean();
      boolean toInclusive = random.nextBoolean();
      NavigableMap<Integer, Integer> range =
          tree.comparator().compare(from, to) > 0
              ? new TreeMap<>()
              : model.subMap(from, fromInclusive, to, toInclusive);
      assertThat(entries(tree.cursor(from, fromInclusive, to, toInclusive)))
          .isEqualTo(entries(range));
      int fromIndex = tree.fromIndex(from, fromInclusive);
      int toIndex = Math.max(fromIndex, tree.toIndex(to, toInclusive));
      assertThat(entries(tree.descendingCursor(fromIndex, toIndex)))
          .isEqualTo(entries(range.descendingMap()));
      assertThat(entries(tree.descendingCursor(0, tree.toIndex(to, toInclusive))))
          .isEqualTo(entries(model.headMap(to, toInclusive).descendingMap()));
      assertThat(entries(tree.cursor(from, fromInclusive, null, false)))
          .isEqualTo(entries(model.tailMap(from, fromInclusive)));
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void showsEveryDifferenceOnceByRisingKeys(long seed) {
    Random random = new Random(seed);
    int keyCount = 1 + random.nextInt(1 << random.nextInt(9));
    SortedTree<Integer, Integer> before =
        written(SortedTree.empty(FALLING), random, keyCount, random.nextInt(200));
    SortedTree<Integer, Integer> after =
        random.nextInt(4) == 0
            ? written(SortedTree.empty(FALLING), random, keyCount, random.nextInt(200))
            : written(before, random, keyCount, random.nextInt(1 << random.nextInt(8)));

    List<String> shown = new ArrayList<>();
    after.difference(before, (key, old, now) -> shown.add(key + ": " + old + " -> " + now));

    List<String> expected = new ArrayList<>();
    NavigableMap<Integer, Integer> all = map(before);
    all.putAll(map(after));
    for (Integer key : all.keySet()) {
      if (!Objects.equals(before.get(key), after.get(key))) {
        expected.add(key + ": " + before.get(key) + " -> " + after.get(key));
      }
    }
    assertThat(shown).isEqualTo(expected);
  }

  @Test
  void looksForDifferencesOnlyWhereThereAreSome() {
    int[] comparisons = {0};
    Comparator<Integer> counting =
        (left, right) -> {
          comparisons[0]++;
          return left.compareTo(right);
        };
    SortedTree<Integer, String> before = SortedTree.empty(counting);
    for (int i = 0; i < 100_000; i++) {
      before = before.put(i, "");
    }
    SortedTree<Integer, String> after = before;
    for (int i = 0; i < 10; i++) { // At the left end: all the tree turns.
      after = after.put(-i - 1, "").remove(50_000 + i);
    }
    comparisons[0] = 0;
    List<Integer> shown = new ArrayList<>();
    after.difference(before, (key, old, now) -> shown.add(key));
    assertThat(shown).hasSize(20).isSorted();
    assertThat(comparisons[0]).isLessThan(2_000);
  }

  @Test
  void comparesContentsWhateverTheShape() {
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      keys.add(i);
    }
    SortedTree<Integer, Integer> rising = SortedTree.empty(Comparator.naturalOrder());
    for (Integer key : keys) {
      rising = rising.put(key, key);
    }
    Collections.shuffle(keys, new Random(1));
    SortedTree<Integer, Integer> shuffled = SortedTree.empty(Comparator.naturalOrder());
    for (Integer key : keys) {
      shuffled = shuffled.put(key, key);
    }
    assertThat(shuffled.hasContentsOf(rising, Integer::equals)).isTrue();
    assertThat(shuffled.put(7, 8).hasContentsOf(rising, Integer::equals)).isFalse();
    assertThat(shuffled.remove(7).hasContentsOf(rising, Integer::equals)).isFalse();
    assertThat(shuffled.remove(7).put(100, 7).hasContentsOf(rising, Integer::equals)).isFalse();
  }

  @Test
  void aKeyThatIsPresentStaysTheObjectThatItIs() {
    SortedTree<String, Integer> tree = SortedTree.empty(String.CASE_INSENSITIVE_ORDER);
    tree = tree.put("a", 1).put("A", 2);
    assertThat(entry(tree.first())).isEqualTo(Map.entry("a", 2));
  }

  @Test
  void refusesAnIndexThatIsNone() {
    SortedTree<Integer, Integer> tree = SortedTree.empty(Comparator.naturalOrder());
    SortedTree<Integer, Integer> one = tree.put(1, 1);
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> tree.at(0));
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> one.at(-1));
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> one.at(1));
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> one.cursor(0, 2));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> one.descendingCursor(1, 0));
  }

  private static SortedTree<Integer, Integer> written(
      SortedTree<Integer, Integer> before, Random random, int keyCount, int writes) {
    SortedTree<Integer, Integer> tree = before;
    for (int i = 0; i < writes; i++) {
      Integer key = random.nextInt(keyCount);
      tree = random.nextBoolean() ? tree.put(key, random.nextInt(3)) : tree.remove(key);
    }
    return tree;
  }

  private static NavigableMap<Integer, Integer> map(SortedTree<Integer, Integer> tree) {
    TreeMap<Integer, Integer> map = new TreeMap<>(tree.comparator());
    TreeCursor<Integer, Integer> cursor = tree.cursor();
    while (cursor.advance()) {
      map.put(cursor.key(), cursor.value());
    }
    return map;
  }

  private static <K, V> Map.@Nullable Entry<K, V> entry(@Nullable TreeNode<K, V> node) {
    return node == null ? null : Map.entry(node.key, node.value);
  }

  private static List<String> entries(Map<Integer, Integer> map) {
    List<String> entries = new ArrayList<>();
    map.forEach((key, value) -> entries.add(key + "=" + value));
    return entries;
  }

  private static List<String> entries(TreeCursor<Integer, Integer> cursor) {
    List<String> entries = new ArrayList<>();
    while (cursor.advance()) {
      entries.add(cursor.key() + "=" + cursor.value());
    }
    assertThat(cursor.left()).isZero();
    return entries;
  }
}
