package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tempest.state.Merge;
import java.util.List;
import java.util.Map;
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
    Map<String, Integer> theirs = there.state.map("map", String.class, Integer.class);
    Map<String, Integer> ours = here.state.map("map", String.class, Integer.class);
    theirs.put("a", 1);
    here.apply(there.written);
    theirs.merge("a", 2, last);
    here.apply(there.written);

    assertThat(ours.keySet()).containsExactly("a");
    assertThat(ours.containsKey("a")).isTrue();
    assertThatIllegalStateException()
        .isThrownBy(() -> ours.get("a"))
        .withMessageContaining("'last'");
    ours.keySet().clear();
    assertThat(ours).isEmpty();
  }
}
