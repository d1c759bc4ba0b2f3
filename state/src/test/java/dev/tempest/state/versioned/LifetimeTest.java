package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tempest.state.TimedMap;
import dev.tempest.values.encoding.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Entries end when their time is over, at all replicas alike. */
final class LifetimeTest {
  private final LocalHome there = new LocalHome();
  private final LocalHome here = new LocalHome().to(there);

  @Test
  void anEntryIsNotSeenOnceItsTimeIsOver() {
    TimedMap<String, String> map = declare(new Lifetime(1_000, 0, 0));
    map.put("a", "1");
    here.nowMillis += 999;
    assertThat(map.get("a")).isEqualTo("1");
    here.nowMillis++;
    assertThat(map.get("a")).isNull();
    assertThat(map.containsKey("a")).isFalse();
    assertThat(map.keySet()).isEmpty();
    assertThat(map.putIfAbsent("a", "2")).isNull();
    assertThat(map).containsEntry("a", "2");
  }

  @Test
  void anEntryMayHaveATimeOfItsOwn() {
    TimedMap<String, String> map = declare(Lifetime.UNLIMITED);
    map.put("short", "1", Duration.ofMillis(10));
    map.put("long", "2");
    here.nowMillis += 10;
    assertThat(map).doesNotContainKey("short").containsEntry("long", "2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> map.put("x", "y", Duration.ZERO))
        .withMessageContaining("at least 1 ms");
  }

  @Test
  void aTimeBeforeAllTimesIsRefusedLikeAnyOther() {
    TimedMap<String, String> map = declare(Lifetime.UNLIMITED);
    for (Duration negative : List.of(Duration.ofSeconds(Long.MIN_VALUE), Duration.ofNanos(-1))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> map.put("x", "y", negative))
          .withMessageContaining("at least 1 ms");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Lifetime.of(negative, Duration.ZERO, 0))
          .withMessageContaining("positive");
    }
  }

  @Test
  void replicasRemoveAtTheSamePlaceWhatWasNeverConfiguredThere() {
    TimedMap<String, String> map = declare(new Lifetime(1_000, 0, 0));
    map.put("a", "1");
    here.nowMillis += 10;
    map.put("b", "2");
    there.nowMillis = here.nowMillis + 990;
    there.expire();
    assertThat(there.published().toString()).contains("1 entry");
    here.nowMillis = there.nowMillis;
    here.expire();
    assertThat(there.published()).isEqualTo(here.published());
    there.nowMillis += 10;
    there.expire();
    assertThat(there.bytes()).isEqualTo(new LocalHome().bytes());
  }

  @Test
  void readsKeepAnEntryAliveEverywhere() {
    TimedMap<String, String> map = declare(new Lifetime(0, 1_000, 0));
    map.put("read", "1");
    map.put("idle", "2");
    for (int i = 0; i < 5; i++) {
      here.nowMillis += 500;
      there.nowMillis = here.nowMillis;
      map.get("read");
      here.expire();
      there.expire();
    }
    assertThat(map).containsOnlyKeys("read");
    assertThat(there.published()).isEqualTo(here.published());
  }

  @Test
  void whatIsToLiveForEverDoes() {
    Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
    TimedMap<String, String> map = declare(Lifetime.of(forEver, forEver, 10));
    map.put("a", "1");
    map.put("b", "2", forEver);
    here.nowMillis += Duration.ofDays(100_000).toMillis();
    assertThat(map).containsOnlyKeys("a", "b");
    there.nowMillis = here.nowMillis;
    there.expire();
    assertThat(there.published()).isEqualTo(here.published());
  }

  /** Some other thread writes it, some time. */
  @Test
  void aReadThatKeepsAliveIsNoWrite() {
    TimedMap<String, String> map = declare(new Lifetime(0, 1_000, 0));
    map.put("a", "1");
    here.nowMillis += 500;
    List<Runnable> uses = new ArrayList<>();
    here.uses = uses::add;
    Version before = here.published();
    int actions = here.actions;
    assertThat(map.get("a")).isEqualTo("1");
    assertThat(map.containsKey("a")).isTrue();
    assertThat(here.actions).isEqualTo(actions);
    assertThat(here.published()).isSameAs(before);

    uses.forEach(Runnable::run);
    here.nowMillis += 999;
    assertThat(map.get("a")).isEqualTo("1");
    here.nowMillis++;
    uses.forEach(Runnable::run); // Too late.
    assertThat(map.get("a")).isNull();
    assertThat(map.containsKey("a")).isFalse();
  }

  @Test
  void aReadTooSoonAfterTheLastOneIsNotWorthAMessage() {
    TimedMap<String, String> map = declare(new Lifetime(0, 1_000, 0));
    map.put("a", "1");
    Version before = here.published();
    here.nowMillis += 249;
    map.get("a");
    assertThat(here.published()).isSameAs(before);
    here.nowMillis++;
    map.get("a");
    assertThat(here.published()).isNotSameAs(before);
  }

  @Test
  void whatIsWrittenMakesRoomAtAllReplicas() {
    TimedMap<String, String> map = declare(new Lifetime(0, 0, 3));
    for (int i = 0; i < 10; i++) {
      map.put("k" + i, "v");
      here.nowMillis++;
    }
    assertThat(map).containsOnlyKeys("k7", "k8", "k9");
    map.put("k7", "again");
    map.put("k10", "v");
    assertThat(map).containsOnlyKeys("k7", "k9", "k10");
    assertThat(there.published()).isEqualTo(here.published());
  }

  @Test
  void whatEndsSoonerMakesRoomFirst() {
    TimedMap<String, String> map = declare(new Lifetime(60_000, 0, 2));
    map.put("soon", "1", Duration.ofSeconds(1));
    map.put("late", "2");
    map.put("new", "3");
    assertThat(map).containsOnlyKeys("late", "new");
  }

  @Test
  void whatNodesWithoutLimitsWroteMakesRoomToo() {
    TimedMap<String, String> map = declare(Lifetime.UNLIMITED);
    for (int i = 0; i < 5; i++) {
      map.put("k" + i, "v");
    }
    LocalHome limited =
        new LocalHome().with("map", new Terms(new Lifetime(0, 0, 2), false)).to(here);
    TimedMap<String, String> same = declareAt(limited);
    limited.take(here.bytes());
    same.put("new", "v");
    assertThat(same).hasSize(2).containsKey("new");
    assertThat(here.published()).isEqualTo(limited.published());
  }

  @Test
  void nodesThatWriteAtTheSameTimeHoldMoreUntilTheNextWrite() {
    for (boolean decidesEverywhere : List.of(false, true)) {
      Terms terms = new Terms(new Lifetime(0, 0, 3), decidesEverywhere);
      LocalHome one = new LocalHome().with("map", terms);
      LocalHome two = new LocalHome().with("map", terms).numbered(1);
      TimedMap<String, String> ours = declareAt(one);
      TimedMap<String, String> theirs = declareAt(two);
      List<Bytes> written = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        ours.put("ours " + i, "v");
        written.add(one.written);
        theirs.putIfAbsent("theirs " + i, "v");
        written.add(two.written);
      }
      LocalHome third = new LocalHome();
      TimedMap<String, String> all = declareAt(third);
      written.forEach(third::apply); // In the one order of all writes.
      assertThat(all).hasSize(6).containsKeys("ours 4", "theirs 4");

      two.take(third.bytes());
      theirs.put("next", "v");
      third.apply(two.written);
      assertThat(all).hasSize(3).containsKey("next");
    }
  }

  @Test
  void aTransferCarriesTheDeadlines() {
    TimedMap<String, String> map = declare(new Lifetime(1_000, 0, 0));
    map.put("a", "1");
    LocalHome joiner = new LocalHome();
    declareAt(joiner);
    joiner.take(here.bytes());
    assertThat(joiner.published()).isEqualTo(here.published());
    joiner.nowMillis += 1_000;
    joiner.expire();
    assertThat(joiner.published()).isEqualTo(joiner.state.emptyVersion());
  }

  @Test
  void anIteratorShowsWhatWasThereWhenItBegan() {
    TimedMap<String, String> map = declare(new Lifetime(1_000, 0, 0));
    map.put("a", "1");
    Iterator<String> keys = map.keySet().iterator();
    map.clear();
    here.nowMillis += 5_000;
    assertThat(keys.next()).isEqualTo("a");
  }

  private TimedMap<String, String> declare(Lifetime lifetime) {
    declareAt(there);
    return declareAt(here.with("map", new Terms(lifetime, false)));
  }

  private static TimedMap<String, String> declareAt(LocalHome home) {
    return home.state.map("map", String.class, String.class);
  }
}
