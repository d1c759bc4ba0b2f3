package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Values whose class does not keep to what equals promises. */
final class OddEqualsTest {
  /** Its author thought of no null. */
  record Careless(int x, @Nullable String text) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Careless that
          && x == that.x
          && Objects.requireNonNull(text).equals(that.text);
    }

    @Override
    public int hashCode() {
      return x;
    }
  }

  @Test
  void aValueThatCannotBeComparedIsAnotherOne() {
    VersionedState state = new VersionedState();
    ConcurrentMap<String, Careless> map = state.map("map", String.class, Careless.class);
    Version before = state.emptyVersion();
    VersionedAction first = state.begin(before, 0, 0);
    map.put("a", new Careless(1, null));
    Change change = first.change();
    Version after = first.commit();

    assertThat(change.applyTo(change.applyTo(before))).isNotSameAs(before);
    VersionedAction second = state.begin(after, 0, 0);
    map.put("a", new Careless(1, null));
    Version last = second.commit();
    state.begin(last, 0, 0);
    assertThat(map.get("a")).extracting(Careless::x).isEqualTo(1);
  }
}
