package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tempest.state.Merge;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingDeque;
import org.junit.jupiter.api.Test;

/** One value that cannot be read here affects only those who ask for it. */
class UnreadableValueTest {
  /** A class that one of two nodes declares. */
  record Known(int number) {}

  /** A class that the other one declares. */
  record Other(int number) {}

  /** A class that refuses all for a while. */
  record Moody(int number) {
    static boolean refuses;

    Moody {
      if (refuses) {
        throw new IllegalStateException("not now");
      }
    }
  }

  private final LocalHome there = new LocalHome();
  private final LocalHome here = new LocalHome().numbered(1);

  @Test
  void itsKeyCanBeSeenAndRemoved() {
    for (boolean isSorted : List.of(false, true)) {
      String name = isSorted ? "sorted" : "map";
      Map<String, Object> theirs = map(there, name, isSorted, Known.class, Other.class);
      Map<String, Object> ours = map(here, name, isSorted, Known.class);
      theirs.put("a", new Known(1));
      here.apply(there.written);
      theirs.put("b", new Other(2));
      here.apply(there.written);

      assertThat(ours.size()).isEqualTo(2);
      assertThat(ours.keySet()).containsExactlyInAnyOrder("a", "b");
      assertThat(ours.keySet().stream().map(String::length).toList()).containsExactly(1, 1);
      int length = 0;
      for (String key : ours.keySet()) {
        length += key.length();
      }
      assertThat(length).isEqualTo(2);
      assertThat(ours.containsKey("b")).isTrue();
      assertThat(ours.get("a")).isEqualTo(new Known(1));
      assertThat(ours.containsValue(new Known(1))).isTrue();
      assertThatIllegalStateException()
          .isThrownBy(() -> ours.get("b"))
          .withMessageContaining(Other.class.getName());
      int before = here.actions;
      Version unchanged = here.published();
      assertThatIllegalStateException().isThrownBy(() -> ours.remove("b"));
      assertThatIllegalStateException().isThrownBy(() -> ours.put("b", new Known(3)));
      assertThat(here.actions).isEqualTo(before + 2);
      assertThat(here.published()).isSameAs(unchanged);
      assertThat(ours.keySet().remove("b")).isTrue();
      assertThat(ours).containsOnlyKeys("a");
    }
  }

  @Test
  void othersAreRemovedBesideItAndItIsNotRemovedAsAnother() {
    for (boolean isSorted : List.of(false, true)) {
      String name = isSorted ? "sorted" : "map";
      Map<String, Object> theirs = map(there, name, isSorted, Known.class, Other.class);
      Map<String, Object> ours = map(here, name, isSorted, Known.class);
      for (Map.Entry<String, Object> each :
          List.of(
              Map.<String, Object>entry("a", new Known(1)),
              Map.<String, Object>entry("b", new Known(2)),
              Map.<String, Object>entry("c", new Other(3)))) {
        theirs.put(each.getKey(), each.getValue());
        here.apply(there.written);
      }

      assertThat(ours.values().remove(new Known(1))).isTrue();
      assertThat(ours.values().removeAll(List.of(new Known(2)))).isTrue();
      assertThatIllegalStateException()
          .isThrownBy(() -> ours.values().retainAll(List.of(new Known(1))))
          .withMessageContaining(Other.class.getName());
      assertThatIllegalStateException()
          .isThrownBy(() -> ours.entrySet().retainAll(List.of(Map.entry("c", new Known(1)))));
      assertThat(ours.keySet()).containsExactly("c");
      assertThat(ours.keySet().retainAll(List.of("a"))).isTrue();
      assertThat(ours).isEmpty();
    }
  }

  @Test
  void whatItsClassRefusedForAWhileCanBeReadLater() {
    Map<String, Moody> theirs = there.state.map("map", String.class, Moody.class);
    Map<String, Moody> ours = here.state.map("map", String.class, Moody.class);
    theirs.put("a", new Moody(1));
    Moody.refuses = true;
    try {
      here.apply(there.written);
      assertThatIllegalStateException()
          .isThrownBy(() -> ours.get("a"))
          .withMessageContaining("not now");
    } finally {
      Moody.refuses = false;
    }
    assertThat(ours.get("a")).isEqualTo(new Moody(1));
    assertThat(ours.put("a", new Moody(2))).isEqualTo(new Moody(1));
    assertThat(ours.get("a")).isEqualTo(new Moody(2));
  }

  private static Map<String, Object> map(
      LocalHome home, String name, boolean isSorted, Class<?>... within) {
    return isSorted
        ? home.state.sortedMap(name, String.class, Object.class, within)
        : home.state.map(name, String.class, Object.class, within);
  }

  @Test
  void aMergeByAnUnknownFunctionHidesNoKey() {
    Merge<Integer> last = Merge.of("last", (a, b) -> b);
    there.state.register(last);
    for (boolean isSorted : List.of(false, true)) {
      Map<String, Integer> theirs = numbers(there, isSorted);
      Map<String, Integer> ours = numbers(here, isSorted);
      theirs.put("a", 1);
      here.apply(there.written);
      theirs.merge("a", 2, last);
      here.apply(there.written);

      assertThat(ours.keySet()).containsExactly("a");
      assertThat(ours.containsKey("a")).isTrue();
      assertThat(ours.containsValue(1)).isFalse();
      assertThat(ours.values().removeAll(List.of(1, 2))).isFalse();
      ours.put("b", 3);
      assertThat(ours.containsValue(3)).isTrue();
      assertThat(ours.containsValue(4)).isFalse();
      ours.keySet().remove("b");
      assertThatIllegalStateException()
          .isThrownBy(() -> ours.get("a"))
          .withMessageContaining("'last'");
      ours.keySet().clear();
      assertThat(ours).isEmpty();
    }
  }

  private static Map<String, Integer> numbers(LocalHome home, boolean isSorted) {
    return isSorted
        ? home.state.sortedMap("sorted", String.class, Integer.class)
        : home.state.map("map", String.class, Integer.class);
  }

  @Test
  void aQueueKeepsItsOrderUntilSomebodyPassesOverIt() {
    BlockingDeque<Object> theirs =
        there.state.deque("deque", 10, Object.class, Known.class, Other.class);
    BlockingDeque<Object> ours = here.state.deque("deque", 10, Object.class, Known.class);
    theirs.addAll(List.of(new Other(1), new Known(2), new Known(3)));
    here.apply(there.written);

    assertThatIllegalStateException()
        .isThrownBy(ours::poll)
        .withMessageContaining(Other.class.getName());
    assertThatIllegalStateException().isThrownBy(ours::take);
    assertThatIllegalStateException().isThrownBy(() -> ours.drainTo(new ArrayList<>()));
    assertThat(ours.size()).isEqualTo(3);
    assertThat(ours.contains(new Known(3))).isTrue();
    assertThat(ours.remove(new Known(2))).isTrue();
    Iterator<Object> iterator = ours.iterator();
    assertThatIllegalStateException().isThrownBy(iterator::next);
    iterator.remove();
    assertThat(iterator.next()).isEqualTo(new Known(3));
    assertThat(ours.poll()).isEqualTo(new Known(3));
  }

  @Test
  void aListWithItIsSearchedAndItIsRemovedByItsPlace() {
    List<Object> theirs = there.state.list("list", Object.class, Known.class, Other.class);
    List<Object> ours = here.state.list("list", Object.class, Known.class);
    theirs.addAll(List.of(new Known(1), new Other(2), new Known(3)));
    here.apply(there.written);

    assertThat(ours.indexOf(new Known(3))).isEqualTo(2);
    assertThat(ours.removeAll(List.of(new Known(1)))).isTrue();
    assertThatIllegalStateException().isThrownBy(() -> ours.removeIf(each -> true));
    assertThatIllegalStateException().isThrownBy(() -> ours.retainAll(List.of(new Known(1))));
    assertThatIllegalStateException().isThrownBy(() -> ours.remove(0));
    assertThat(ours.size()).isEqualTo(2);
    ours.subList(0, 1).clear();
    assertThat(ours).containsExactly(new Known(3));
  }
}
