package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.state.TimedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whether what an execution saw was written by others since. */
final class LatestWritesTest {
  private static final long OWN = 7;
  private static final long OTHER = 8;

  private final VersionedState state = new VersionedState();
  private final TimedMap<String, String> map = state.map("map", String.class, String.class);
  private final LatestWrites writes = new LatestWrites(10);

  @Test
  void meetsWhoReadAKeyThatAnotherWroteLater() {
    writes.add(footprint(now -> map.put("a", "x")), 12, OTHER);
    Footprint reader = footprint(now -> map.get("a"));
    assertThat(writes.meets(reader, 12, OWN)).isTrue();
    assertThat(writes.meets(reader, 13, OWN)).isFalse();
    assertThat(writes.meets(footprint(now -> map.get("b")), 12, OWN)).isFalse();
  }

  @Test
  void meetsWhoReadTheSizeOfWhatAnotherWroteTo() {
    writes.add(footprint(now -> map.put("a", "x")), 12, OTHER);
    assertThat(writes.meets(footprint(now -> map.size()), 12, OWN)).isTrue();
  }

  @Test
  void doesNotMeetWhatItsOwnWrote() {
    writes.add(footprint(now -> map.put("a", "x")), 12, OWN);
    assertThat(writes.meets(footprint(now -> map.get("a")), 11, OWN)).isFalse();
    assertThat(writes.meets(Footprint.EVERYTHING, 11, OWN)).isFalse();
  }

  /** What another one wrote is not hidden by what its own wrote to another key since. */
  @Test
  void meetsWhatAnotherWroteBeforeItsOwn() {
    writes.add(footprint(now -> map.put("a", "x")), 11, OTHER);
    writes.add(footprint(now -> map.put("b", "x")), 12, OWN);
    assertThat(writes.meets(footprint(now -> map.size()), 11, OWN)).isTrue();
    assertThat(writes.meets(Footprint.EVERYTHING, 11, OWN)).isTrue();
    assertThat(writes.meets(footprint(now -> map.get("b")), 11, OWN)).isFalse();
  }

  @Test
  void meetsAllWhoSawLessThanItKnows() {
    Footprint reader = footprint(now -> map.get("z"));
    assertThat(writes.meets(reader, 9, OWN)).isTrue();
    LatestWrites few = new LatestWrites(0, 4);
    for (int i = 0; i < 10; i++) {
      String key = "k" + i;
      few.add(footprint(now -> map.put(key, "x")), i, OTHER);
    }
    assertThat(few.meets(reader, 6, OWN)).isTrue();
    assertThat(few.meets(reader, 7, OWN)).isFalse();
  }

  private Footprint footprint(Function<VersionedAction, @Nullable Object> body) {
    VersionedAction traced = state.beginTraced(state.emptyVersion(), 0, 1);
    var unused = body.apply(traced);
    traced.commit();
    return traced.footprint();
  }
}
