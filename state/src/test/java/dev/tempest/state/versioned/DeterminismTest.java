package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.state.Counter;
import dev.tempest.values.encoding.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.Test;

/**
 * Pins orders, bytes and hashes: replicas on other versions of Tempest and Java have to agree with
 * them. A change here breaks clusters that are upgraded one server at a time.
 */
class DeterminismTest {
  private final VersionedState state = new VersionedState();
  private final ConcurrentMap<String, Integer> map = state.map("map", String.class, Integer.class);
  private final Set<Color> set = state.set("set", Color.class);
  private final Set<Place> places = state.set("places", Place.class);
  private final Counter counter = state.counter("counter");

  enum Color {
    RED,
    GREEN,
    BLUE
  }

  record Place(Color color, long number) {}

  @Test
  void theOrderOfIterationIsPinned() {
    state.begin(state.emptyVersion(), 0, 0);
    for (int i = 0; i < 40; i++) {
      map.put("k" + i, i);
    }
    for (Color color : Color.values()) {
      set.add(color);
      places.add(new Place(color, 1));
      places.add(new Place(color, 2));
    }
    List<Integer> order = new ArrayList<>(map.values());
    assertThat(order)
        .containsExactly(
            4, 5, 3, 23, 2, 7, 13, 20, 24, 6, 33, 16, 35, 38, 21, 30, 19, 14, 10, 0, 15, 9, 8, 32,
            11, 27, 26, 29, 1, 28, 36, 12, 25, 31, 22, 37, 18, 34, 39, 17);
    assertThat(set).containsExactly(Color.BLUE, Color.RED, Color.GREEN);
    assertThat(places)
        .containsExactly(
            new Place(Color.BLUE, 2),
            new Place(Color.RED, 1),
            new Place(Color.BLUE, 1),
            new Place(Color.GREEN, 1),
            new Place(Color.RED, 2),
            new Place(Color.GREEN, 2));
  }

  /** The tag of an enum and the name of its class, which has 49 characters. */
  private static final String COLOR =
      "4031" + HexFormat.of().formatHex(Color.class.getName().getBytes(StandardCharsets.US_ASCII));

  @Test
  void bytesAndHashesArePinned() {
    VersionedAction action = state.begin(state.emptyVersion(), 0, 0);
    map.put("apple", 3);
    map.put("pear", -1);
    map.remove("plum");
    set.add(Color.BLUE);
    counter.add(300);
    Version version = action.commit();

    assertThat(HexFormat.of().formatHex(WholeVersion.bytes(state, version).toArray()))
        .isEqualTo(
            "02aefe8859" // The layout, the hash of the wish.
                + "000000"
                + "03efbfbf0000"
                + "02" // From the start to the end it is other than what the wish has.
                + "03efbfbf0000"
                + "0107636f756e74657203"
                + "02d804"
                + "01036d617001"
                + "0201056170706c65010206"
                + "02010470656172010201"
                + "010373657402"
                + "02"
                + COLOR
                + "04424c554501"
                + "00");
    assertThat(state.hash(version)).isEqualTo(-8386249882039988555L);

    ByteWriter writer = new ByteWriter(1000);
    state.writeChange(action.change(), writer);
    assertThat(HexFormat.of().formatHex(writer.toBytes().toArray()))
        .isEqualTo(
            "0203" // The layout, 3 collections touched.
                + "07636f756e74657203d804"
                + "036d61700103"
                + "0104706c756d00"
                + "01056170706c65010206"
                + "010470656172010201"
                + "037365740201"
                + COLOR
                + "04424c554501");
  }

  @Test
  void theHistoryLeavesNoTrace() {
    VersionedAction one = state.begin(state.emptyVersion(), 0, 0);
    for (int i = 0; i < 100; i++) {
      map.put("k" + i, i);
    }
    Version first = one.commit();
    VersionedAction two = state.begin(state.emptyVersion(), 5, 5);
    for (int i = 199; i >= 0; i--) {
      map.put("k" + i, -i);
    }
    map.keySet().removeIf(key -> Integer.parseInt(key.substring(1)) >= 100);
    map.replaceAll((key, value) -> -value);
    Version second = two.commit();

    assertThat(second).isEqualTo(first).hasSameHashCodeAs(first);
    assertThat(state.hash(second)).isEqualTo(state.hash(first));
    assertThat(state.contents(second).toString()).isEqualTo(state.contents(first).toString());
    assertThat(Map.copyOf(state.contents(second))).isEqualTo(state.contents(first));
  }
}
