package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.values.encoding.Bytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lists and deques that several nodes write to before they have heard of each other. */
class SharedSequencesTest {
  private final LocalHome one = new LocalHome().numbered(1);
  private final LocalHome two = new LocalHome().numbered(2);
  private final List<String> list = one.state.list("list", String.class);
  private final List<String> same = two.state.list("list", String.class);
  private final Deque<Integer> deque = one.state.deque("deque", 1000, Integer.class);
  private final Deque<Integer> sameDeque = two.state.deque("deque", 1000, Integer.class);

  static LongStream seeds() {
    return Seeds.of(50);
  }

  @Test
  void insertionsAtOnePlaceBothStay() {
    list.addAll(List.of("a", "z"));
    share();
    list.add(1, "of one");
    same.add(1, "of two");
    exchange();

    assertThat(list).containsExactly("a", "of one", "of two", "z");
    assertThat(same).isEqualTo(list);
  }

  @Test
  void removesTheElementThatWasSeen() {
    list.addAll(List.of("a", "b", "c"));
    share();
    list.add(0, "first");
    same.remove(1);
    exchange();

    assertThat(list).containsExactly("first", "a", "c");
    assertThat(same).isEqualTo(list);
  }

  @Test
  void replacesTheElementThatWasSeen() {
    list.addAll(List.of("a", "b", "c"));
    share();
    list.remove(0);
    same.set(1, "B");
    exchange();

    assertThat(list).containsExactly("B", "c");
    assertThat(same).isEqualTo(list);
  }

  @Test
  void ofTwoSortsTheLastCounts() {
    list.addAll(List.of("b", "c", "a"));
    share();
    list.sort(null);
    Bytes first = one.written;
    same.sort(Collections.reverseOrder());
    Bytes second = two.written;
    one.apply(second);
    two.take(one.bytes());

    assertThat(list).containsExactly("c", "b", "a");
    assertThat(same).isEqualTo(list);
    one.apply(first);
    assertThat(list).containsExactly("a", "b", "c");
  }

  @Test
  void pollsOfTwoNodesRemoveNothingThatNobodyGot() {
    deque.addAll(List.of(1, 2, 3));
    share();
    assertThat(deque.poll()).isEqualTo(1);
    assertThat(sameDeque.poll()).isEqualTo(1);
    exchange();

    assertThat(deque).containsExactly(2, 3);
    assertThat(sameDeque).containsExactly(2, 3);
  }

  @Test
  void aPartStaysBetweenItsNeighbours() {
    list.addAll(List.of("a", "b", "c", "d"));
    share();
    List<String> part = list.subList(1, 3);
    same.addAll(0, List.of("x", "y"));
    same.remove("a");
    same.remove("d");
    one.take(two.bytes());

    assertThat(list).containsExactly("x", "y", "b", "c");
    assertThat(part).containsExactly("b", "c");
    part.clear();
    part.add("new");
    assertThat(list).containsExactly("x", "y", "new");
    assertThat(part).containsExactly("new");
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void nothingIsLostAndNothingComesBack(long seed) {
    Random random = new Random(seed);
    List<Integer> added = new ArrayList<>();
    List<Integer> taken = new ArrayList<>();
    for (int round = 0; round < 30; round++) {
      List<Bytes> changes = new ArrayList<>();
      for (LocalHome home : List.of(one, two)) {
        Deque<Integer> queue = home == one ? deque : sameDeque;
        for (int i = random.nextInt(4); i >= 0; i--) {
          if (random.nextInt(5) < 3) {
            added.add(added.size());
            assertThat(
                    random.nextBoolean()
                        ? queue.offer(added.getLast())
                        : queue.offerFirst(added.getLast()))
                .isTrue();
            changes.add(home.written);
          } else if (!queue.isEmpty()) {
            taken.add(random.nextBoolean() ? queue.remove() : queue.removeLast());
            changes.add(home.written);
          }
        }
      }
      // Each hears of the other's: own ones again, which changes nothing.
      changes.forEach(one::apply);
      changes.forEach(two::apply);
      assertThat(new ArrayList<>(deque)).isEqualTo(new ArrayList<>(sameDeque));
      assertThat(one.bytes()).isEqualTo(two.bytes());
    }
    TreeSet<Integer> left = new TreeSet<>(added);
    left.removeAll(taken);
    assertThat(new TreeSet<>(deque)).isEqualTo(left);
    assertThat(deque).hasSameSizeAs(left);
  }

  /** Both have what one has. */
  private void share() {
    two.take(one.bytes());
  }

  /** Each applies what the other has written last. */
  private void exchange() {
    Bytes ofOne = one.written;
    one.apply(two.written);
    two.apply(ofOne);
  }
}
