package dev.tempest.protocol.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Against a {@link TreeMap}; {@code -Dseed=17} draws other changes. */
final class LongMapTest {
  private final long seed = Long.getLong("seed", 1);
  private final SplittableRandom random = new SplittableRandom(seed);

  @Test
  void isWhatATreeMapIsAndWhatItWasBefore() {
    LongMap<String> map = LongMap.empty();
    TreeMap<Long, String> model = new TreeMap<>();
    for (int round = 0; round < 300; round++) {
      LongMap<String> before = map;
      TreeMap<Long, String> modelBefore = new TreeMap<>(model);
      LongMap.Edit<String> edit = map.edit();
      for (int i = random.nextInt(40); i >= 0; i--) {
        long key = random.nextLong(-300, 300) * (random.nextBoolean() ? 1 : Integer.MAX_VALUE);
        if (random.nextInt(3) == 0) {
          edit.remove(key);
          model.remove(key);
        } else {
          edit.put(key, "v" + round + "." + i);
          model.put(key, "v" + round + "." + i);
        }
      }
      map = edit.done();
      same(map, model);
      same(before, modelBefore);
    }
  }

  private void same(LongMap<String> map, Map<Long, String> model) {
    map.checkInvariants();
    assertThat(map.size()).as("seed %d", seed).isEqualTo(model.size());
    model.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
    assertThat(map.get(random.nextLong())).isNull();
    List<String> all = new ArrayList<>();
    map.forEach(all::add);
    assertThat(all).containsExactlyInAnyOrderElementsOf(model.values());
  }
}
