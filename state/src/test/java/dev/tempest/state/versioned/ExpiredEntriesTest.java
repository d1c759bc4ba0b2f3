package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is over lies in a tree still, for a second or so: it is passed over, and costs nothing. */
class ExpiredEntriesTest {
  private static final int MANY = 100_000;

  private int compared;
  private final Comparator<Integer> counting =
      (left, right) -> {
        compared++;
        return Integer.compare(left, right);
      };

  static LongStream seeds() {
    return Seeds.of(200);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aTreeShowsWhatIsNotOver(long seed) {
    Random random = new Random(seed);
    int nowMillis = random.nextInt(100);
    int keys = 1 + random.nextInt(80);
    SortedTree<Integer, Object> tree = SortedTree.empty(Comparator.naturalOrder());
    TreeMap<Integer, Object> model = new TreeMap<>();
    for (int i = 0; i < 100; i++) {
      int key = random.nextInt(keys);
      // At rising keys, as of a queue, or anywhere.
      long endMillis = seed % 2 == 0 ? key : random.nextInt(100);
      Object value = random.nextInt(4) == 0 ? "for ever" : new Lease("brief", endMillis, 0, 0);
      tree = tree.put(key, value);
      model.put(key, value);
      if (random.nextInt(3) == 0) {
        Integer removed = random.nextInt(keys);
        tree = tree.remove(removed);
        model.remove(removed);
      }
    }
    model.values().removeIf(value -> !Lease.isThere(value, nowMillis));
    SortedTree<Integer, Object> seen = tree.seenAt(nowMillis, model.size());

    List<Integer> left = new ArrayList<>(model.keySet());
    assertThat(keys(seen.cursor())).isEqualTo(left);
    assertThat(keys(seen.descendingCursor(0, seen.size()))).isEqualTo(left.reversed());
    assertThat(key(seen.first())).isEqualTo(left.isEmpty() ? null : left.getFirst());
    assertThat(key(seen.last())).isEqualTo(left.isEmpty() ? null : left.getLast());
    for (int i = 0; i < left.size(); i++) {
      assertThat(seen.at(i).key).isEqualTo(left.get(i));
      int to = i + random.nextInt(left.size() - i + 1);
      assertThat(keys(seen.cursor(i, to))).isEqualTo(left.subList(i, to));
      assertThat(keys(seen.descendingCursor(i, to))).isEqualTo(left.subList(i, to).reversed());
    }
    for (int key = -1; key <= keys; key++) {
      assertThat(key(seen.find(key))).isEqualTo(model.containsKey(key) ? key : null);
      assertThat(key(seen.lower(key))).isEqualTo(model.lowerKey(key));
      assertThat(key(seen.floor(key))).isEqualTo(model.floorKey(key));
      assertThat(key(seen.ceiling(key))).isEqualTo(model.ceilingKey(key));
      assertThat(key(seen.higher(key))).isEqualTo(model.higherKey(key));
      assertThat(seen.rank(key)).isEqualTo(model.headMap(key).size());
    }
    assertThat(seen.put(-5, "new").size()).isEqualTo(model.size() + 1);
  }

  private static List<Integer> keys(Cursor<Integer, Object> cursor) {
    List<Integer> keys = new ArrayList<>();
    while (cursor.advance()) {
      keys.add(cursor.key());
    }
    return keys;
  }

  private static @Nullable Integer key(@Nullable TreeNode<Integer, Object> node) {
    return node == null ? null : node.key;
  }

  @Test
  void theNearestIsFoundAcrossManyThatAreOver() {
    SortedTree<Integer, Object> tree = SortedTree.empty(counting);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      order.add(i);
    }
    Collections.shuffle(order, new Random(1));
    for (int key : order) {
      boolean isLeft = key == 0 || key == MANY - 1;
      tree = tree.put(key, new Lease("brief", isLeft ? 2_000 : 1_000, 0, 0));
    }
    compared = 0;
    SortedTree<Integer, Object> seen = tree.seenAt(1_000, 2);
    assertThat(seen.root).isSameAs(tree.root);
    assertThat(key(seen.first())).isZero();
    assertThat(Objects.requireNonNull(seen.last()).key).isEqualTo(MANY - 1);
    assertThat(seen.at(1).key).isEqualTo(MANY - 1);
    assertThat(keys(seen.cursor())).containsExactly(0, MANY - 1);
    assertThat(compared).isZero();
    assertThat(key(seen.lower(MANY - 1))).isZero();
    assertThat(key(seen.higher(0))).isEqualTo(MANY - 1);
    assertThat(compared).isLessThan(2 * TreeNode.depthMax(MANY));
  }

  @Test
  void aSortedMapReadsTheTreeAsItLies() {
    LocalHome home = new LocalHome().with("map", new Terms(new Lifetime(1_000, 0, 0), false));
    ConcurrentNavigableMap<Integer, Integer> map =
        home.state.sortedMap("map", Integer.class, Integer.class);
    for (int i = 0; i < 100; i++) {
      map.put(i, i);
    }
    home.nowMillis += 500;
    map.put(100, 100);
    map.put(50, 50);
    home.nowMillis += 500;
    assertThat(map.firstKey()).isEqualTo(50);
    assertThat(map.lowerKey(100)).isEqualTo(50);
    assertThat(map.headMap(100).size()).isEqualTo(1);
    assertThat(map.tailMap(51).keySet()).containsExactly(100);
    assertThat(map.pollFirstEntry()).hasToString("50=50");
    assertThat(map.descendingMap()).hasToString("{100=100}");
    Keyed<Integer> root = home.state.keyed(((StateSortedMap<Integer, Integer>) map).object());
    assertThat(root.size()).isEqualTo(100);
    assertThat(root.sortedAt(home.nowMillis).root)
        .isSameAs(((SortedTree<Integer, Object>) root.entries()).root);
  }
}
