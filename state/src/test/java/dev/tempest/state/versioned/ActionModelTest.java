package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.state.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Actions, committed and aborted, beside collections of the JDK that are copied before each. */
class ActionModelTest {
  private final VersionedState state = new VersionedState();
  private final ConcurrentMap<Integer, Integer> map =
      state.map("map", Integer.class, Integer.class);
  private final Set<String> set = state.set("set", String.class);
  private final Counter counter = state.counter("counter");

  private record Model(Map<Integer, Integer> map, Set<String> set, AtomicLong counter) {
    Model copy() {
      return new Model(new TreeMap<>(map), new TreeSet<>(set), new AtomicLong(counter.get()));
    }
  }

  private record Moment(Version version, Model model) {}

  static LongStream seeds() {
    return Seeds.of(100);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void anActionDoesWhatTheJdkDoesOnACopy(long seed) {
    Random random = new Random(seed);
    List<Moment> history = new ArrayList<>();
    history.add(
        new Moment(
            state.emptyVersion(), new Model(new TreeMap<>(), new TreeSet<>(), new AtomicLong())));
    for (int step = 0; step < 50; step++) {
      // Not always the last: versions branch.
      Moment before = history.get(random.nextInt(1 + random.nextInt(history.size())));
      Model model = before.model().copy();
      VersionedAction action = state.begin(before.version(), step, seed);
      for (int writes = random.nextInt(10); writes >= 0; writes--) {
        write(random, model);
        assertThat(map).isEqualTo(model.map());
        assertThat(set).isEqualTo(model.set());
        assertThat(counter.get()).isEqualTo(model.counter().get());
      }
      if (random.nextInt(4) == 0) {
        action.abort();
      } else {
        history.add(new Moment(action.commit(), model));
      }
    }
    for (Moment moment : history) {
      state.beginReadOnly(moment.version(), 0);
      assertThat(map).isEqualTo(moment.model().map());
      assertThat(set).isEqualTo(moment.model().set());
      assertThat(counter.get()).isEqualTo(moment.model().counter().get());
      state.action().abort();
    }
  }

  private void write(Random random, Model model) {
    Integer key = random.nextInt(12);
    Integer value = random.nextInt(3);
    String element = "e" + random.nextInt(12);
    switch (random.nextInt(14)) {
      case 0, 1 -> assertThat(map.put(key, value)).isEqualTo(model.map().put(key, value));
      case 2 -> assertThat(map.remove(key)).isEqualTo(model.map().remove(key));
      case 3 -> assertThat(map.remove(key, value)).isEqualTo(model.map().remove(key, value));
      case 4 -> assertThat(map.replace(key, value)).isEqualTo(model.map().replace(key, value));
      case 5 ->
          assertThat(map.replace(key, value, 7)).isEqualTo(model.map().replace(key, value, 7));
      case 6 ->
          assertThat(map.merge(key, value, (a, b) -> a > 5 ? null : a + b))
              .isEqualTo(model.map().merge(key, value, (a, b) -> a > 5 ? null : a + b));
      case 7 ->
          assertThat(map.putIfAbsent(key, value)).isEqualTo(model.map().putIfAbsent(key, value));
      case 8 ->
          assertThat(map.values().removeIf(value::equals))
              .isEqualTo(model.map().values().removeIf(value::equals));
      case 9, 10 -> assertThat(set.add(element)).isEqualTo(model.set().add(element));
      case 11 -> assertThat(set.remove(element)).isEqualTo(model.set().remove(element));
      case 12 -> assertThat(counter.add(value - 1)).isEqualTo(model.counter().addAndGet(value - 1));
      default -> {
        if (random.nextInt(10) == 0) {
          map.clear();
          model.map().clear();
        }
      }
    }
  }
}
