package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.state.Counter;
import dev.tempest.state.versioned.Home.Certain;
import dev.tempest.values.encoding.Bytes;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Who reads asks others only for what is about to be written. */
final class WrittenKeysTest {
  private final LocalHome home = new LocalHome();
  private final Map<String, Long> map = home.state.map("map", String.class, Long.class);
  private final Set<String> set = home.state.set("set", String.class);
  private final NavigableMap<String, Long> sorted =
      home.state.sortedMap("sorted", String.class, Long.class);
  private final List<Long> list = home.state.list("list", Long.class);
  private final Counter counter = home.state.counter("counter");
  private int asked;

  WrittenKeysTest() {
    home.meanwhile = () -> asked++;
  }

  @Test
  void whereNothingIsCertainAllAsk() {
    assertThat(asks(() -> map.get("a"))).isTrue();
    assertThat(asks(counter::get)).isTrue();
  }

  @Test
  void whereAllIsCertainNobodyAsks() {
    except(WrittenKeys.NONE);
    assertThat(asks(() -> map.get("a"))).isFalse();
    assertThat(asks(map::size)).isFalse();
    assertThat(asks(() -> List.copyOf(list))).isFalse();
    assertThat(asks(counter::get)).isFalse();
  }

  @Test
  void whereNothingIsKnownOfWhatIsWrittenAllAsk() {
    except(WrittenKeys.EVERYTHING);
    assertThat(asks(() -> map.get("a"))).isTrue();
    assertThat(asks(counter::get)).isTrue();
    assertThat(WrittenKeys.of(null)).isSameAs(WrittenKeys.EVERYTHING);
    assertThat(WrittenKeys.of(Footprint.EVERYTHING)).isSameAs(WrittenKeys.EVERYTHING);
    assertThat(WrittenKeys.of(Footprint.NONE)).isSameAs(WrittenKeys.NONE);
  }

  @Test
  void whoReadsAKeyAsksOnlyIfItIsWritten() {
    exceptThoseOf(() -> map.put("a", 1L));
    assertThat(asks(() -> map.get("a"))).isTrue();
    assertThat(asks(() -> map.containsKey("a"))).isTrue();
    assertThat(asks(() -> map.get("b"))).isFalse();
    assertThat(asks(() -> sorted.get("a"))).isFalse();
    assertThat(asks(() -> set.contains("a"))).isFalse();
    exceptThoseOf(() -> sorted.remove("a"));
    assertThat(asks(() -> sorted.get("a"))).isTrue();
    exceptThoseOf(() -> set.add("a"));
    assertThat(asks(() -> set.contains("a"))).isTrue();
  }

  @Test
  void whoLooksAtAllOfAnObjectAsksIfAnythingInItIsWritten() {
    exceptThoseOf(() -> map.put("a", 1L));
    assertThat(asks(map::size)).isTrue();
    assertThat(asks(map::isEmpty)).isTrue();
    assertThat(asks(() -> List.copyOf(map.entrySet()))).isTrue();
    assertThat(asks(sorted::size)).isFalse();
    assertThat(asks(() -> list.size())).isFalse();
    exceptThoseOf(() -> list.add(1L));
    assertThat(asks(() -> list.contains(2L))).isTrue();
    exceptThoseOf(() -> sorted.put("a", 1L));
    assertThat(asks(() -> sorted.firstEntry() == null)).isTrue();
    exceptThoseOf(() -> counter.add(1));
    assertThat(asks(counter::get)).isTrue();
  }

  @Test
  void ofSeveralAllAreWritten() {
    map.put("a", 1L);
    WrittenKeys one = keysOf(home.written);
    sorted.put("b", 1L);
    WrittenKeys other = keysOf(home.written);
    except(WrittenKeys.union(List.of(one, WrittenKeys.NONE, other)));
    assertThat(asks(() -> map.get("a"))).isTrue();
    assertThat(asks(() -> sorted.get("b"))).isTrue();
    assertThat(asks(() -> map.get("b"))).isFalse();
    assertThat(WrittenKeys.union(List.of())).isSameAs(WrittenKeys.NONE);
    assertThat(WrittenKeys.union(List.of(one, WrittenKeys.EVERYTHING)))
        .isSameAs(WrittenKeys.EVERYTHING);
  }

  @Test
  void ofMoreThanCanBeKeptEverythingIs() {
    home.enter();
    for (int i = 0; i < WrittenKeys.NUMBERS_MAX / 4 + 1; i++) {
      map.put("key " + i, 1L);
    }
    home.leave();
    WrittenKeys half = keysOf(home.written);
    assertThat(half).isNotSameAs(WrittenKeys.EVERYTHING);
    assertThat(WrittenKeys.union(List.of(half, half))).isSameAs(WrittenKeys.EVERYTHING);
  }

  private WrittenKeys keysOf(Bytes change) {
    return WrittenKeys.of(home.state.readChange(change.reader()).footprint());
  }

  private boolean asks(Supplier<?> reads) {
    int before = asked;
    Object unused = reads.get();
    return asked > before;
  }

  private void except(WrittenKeys keys) {
    home.certain = new Certain(home.published(), keys);
  }

  /** These are written by somebody, and are not in what is certain. */
  private void exceptThoseOf(Runnable writes) {
    Version before = home.published();
    writes.run();
    home.certain = new Certain(before, keysOf(home.written));
  }
}
