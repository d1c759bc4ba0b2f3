package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tempest.values.encoding.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sorted by a user's {@code compareTo}, which may fail, and runs only for those who ask for it. */
class UserOrderTest {
  private static boolean isForbidden;

  /** Refuses to compare what is of another currency; the most cents come first. */
  record Money(@Nullable String currency, int cents) implements Comparable<Money> {
    @Override
    public int compareTo(Money other) {
      if (isForbidden) {
        throw new AssertionError("code of users runs");
      }
      if (currency == null || !currency.equals(other.currency)) {
        throw new IllegalArgumentException(currency + " is not " + other.currency);
      }
      return Integer.compare(other.cents, cents);
    }
  }

  private final LocalHome one = new LocalHome().numbered(1);
  private final LocalHome two = new LocalHome().numbered(2);

  static LongStream seeds() {
    return Seeds.of(100);
  }

  private static ConcurrentNavigableMap<Money, String> map(LocalHome home) {
    return home.state.sortedMap("map", Money.class, String.class);
  }

  @AfterEach
  void allow() {
    isForbidden = false;
  }

  @Test
  void aKeyThatCannotBeComparedIsRefusedAsByATreeMap() {
    ConcurrentNavigableMap<Money, String> map = map(one);
    assertThatIllegalArgumentException().isThrownBy(() -> map.put(new Money(null, 1), "none"));
    map.put(new Money("EUR", 1), "one");
    map.put(new Money("EUR", 2), "two");
    Money dollar = new Money("USD", 1);
    assertThatIllegalArgumentException().isThrownBy(() -> map.put(dollar, "one"));
    assertThatIllegalArgumentException().isThrownBy(() -> map.putIfAbsent(dollar, "one"));
    assertThatIllegalArgumentException().isThrownBy(() -> map.compute(dollar, (k, v) -> "one"));
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            one.state.sortedSet("set", Money.class).addAll(List.of(dollar, new Money("EUR", 1))));
    assertThat(one.state.<Money>sortedSet("set", Money.class)).isEmpty();
    assertThat(map.values()).containsExactly("two", "one");
    assertThat(map.get(dollar)).isNull();
  }

  @Test
  void whatOthersWroteIsKeptWhateverItsOrder() {
    ConcurrentNavigableMap<Money, String> ours = map(one);
    ConcurrentNavigableMap<Money, String> theirs = map(two);
    List<Bytes> euros = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      ours.put(new Money("EUR", i), "euros " + i);
      euros.add(one.written);
      assertThat(ours.firstKey()).isEqualTo(new Money("EUR", i));
      theirs.put(new Money("USD", i), "dollars " + i);
      one.apply(two.written);
      ours.remove(new Money("USD", i - 5));
      assertThat(ours.firstKey()).isEqualTo(new Money("EUR", i));
      ours.put(new Money("USD", i), "dollars " + i);
    }
    euros.forEach(two::apply);
    for (int i = 0; i < 15; i++) {
      theirs.remove(new Money("USD", i));
    }
    assertThat(one.bytes()).isEqualTo(two.bytes());
    LocalHome third = new LocalHome();
    ConcurrentNavigableMap<Money, String> its = map(third);
    third.take(one.bytes());

    for (ConcurrentNavigableMap<Money, String> each : List.of(ours, theirs, its)) {
      for (int i = 0; i < 20; i++) {
        assertThat(each.get(new Money("EUR", i))).isEqualTo("euros " + i);
        assertThat(each.get(new Money("USD", i))).isEqualTo(i < 15 ? null : "dollars " + i);
      }
      assertThat(each.keySet()).hasSize(25).doesNotHaveDuplicates();
    }
    assertThat(third.bytes()).isEqualTo(one.bytes());
    ours.keySet().removeIf(money -> "USD".equals(money.currency()));
    assertThat(ours.firstKey()).isEqualTo(new Money("EUR", 19));
    assertThat(ours.lastKey()).isEqualTo(new Money("EUR", 0));
    assertThat(ours.headMap(new Money("EUR", 10), true)).hasSize(10);
  }

  /** What one node accepted may have no order at all at another one, whose class is newer. */
  @Test
  void noCodeOfUsersRunsWhereWritesOfOthersAreApplied() {
    LocalHome home = one.with("map", new Terms(new Lifetime(1_000, 0, 0), false)).to(two);
    ConcurrentNavigableMap<Money, String> ours = map(home);
    ConcurrentNavigableMap<Money, String> theirs = map(two);
    List<Bytes> written = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      ours.put(new Money("EUR", i), "euros");
      written.add(home.written);
    }
    LocalHome third = new LocalHome();
    map(third);
    StateHashes hashes = third.state.hashes();

    isForbidden = true;
    written.forEach(third::apply);
    hashes.advance(third.published());
    LocalHome fourth = new LocalHome();
    ConcurrentNavigableMap<Money, String> its = map(fourth);
    fourth.take(third.bytes());
    assertThat(fourth.published()).isEqualTo(WholeVersion.read(fourth.state, third.bytes()));
    assertThat(its.size()).isEqualTo(50);
    assertThat(its.get(new Money("EUR", 7))).isEqualTo("euros");
    third.nowMillis += 1_000;
    third.expire();
    assertThat(map(third)).isEmpty();
    isForbidden = false;

    assertThat(its.firstKey().cents()).isEqualTo(49);
    assertThat(theirs.firstKey().cents()).isEqualTo(49);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void doesWhatATreeMapDoes(long seed) {
    Random random = new Random(seed);
    one.with("map", new Terms(new Lifetime(seed % 2 == 0 ? 0 : 20, 0, 0), false)).to(two);
    ConcurrentNavigableMap<Money, String> map = map(one);
    ConcurrentNavigableMap<Money, String> theirs = map(two);
    NavigableMap<Money, String> model = new TreeMap<>();
    NavigableMap<Money, Long> ends = new TreeMap<>();
    for (int step = 0; step < 200; step++) {
      Money key = new Money("EUR", random.nextInt(40));
      if (random.nextInt(3) > 0) {
        String value = "step " + step;
        map.put(key, value);
        model.put(key, value);
        ends.put(key, one.nowMillis + 20);
      } else {
        map.remove(key);
        model.remove(key);
      }
      one.nowMillis += random.nextInt(2);
      two.nowMillis = one.nowMillis;
      if (seed % 2 == 1) {
        model.keySet().removeIf(each -> ends.getOrDefault(each, 0L) <= one.nowMillis);
      }
      if (random.nextInt(4) == 0) {
        assertThat(new ArrayList<>(theirs.entrySet())).isEqualTo(new ArrayList<>(model.entrySet()));
        Money bound = new Money("EUR", random.nextInt(40));
        assertThat(theirs.floorKey(bound)).isEqualTo(model.floorKey(bound));
        assertThat(map.higherEntry(bound)).isEqualTo(model.higherEntry(bound));
        assertThat(map.tailMap(bound).size()).isEqualTo(model.tailMap(bound).size());
        assertThat(map.size()).isEqualTo(model.size());
      }
    }
  }

  @Test
  @SuppressWarnings({"rawtypes", "unchecked"}) // As a short form declares keys of any class.
  void aClassThatIsDeclaredBesidesIsComparedByItsOwner() {
    Map<Comparable, String> mixed = one.state.sortedMap("mixed", Comparable.class, String.class);
    mixed.put("text", "kept");
    Map<Comparable, String> more =
        one.state.sortedMap("mixed", Comparable.class, String.class, Money.class);
    one.upgrade();
    assertThatIllegalArgumentException().isThrownBy(() -> more.put(new Money(null, 1), "none"));
    more.put(new Money("EUR", 1), "one");
    assertThat(more).hasSize(2).containsEntry("text", "kept");
  }

  @Test
  void aClassThatIsDeclaredLaterGivesTheOrder() {
    map(one).put(new Money("EUR", 1), "one");
    two.apply(one.written);
    map(one).put(new Money("EUR", 3), "three");
    two.apply(one.written);
    map(one).put(new Money("EUR", 2), "two");
    two.apply(one.written);
    ConcurrentNavigableMap<Money, String> theirs = map(two);
    two.upgrade();
    assertThat(theirs.values()).containsExactly("three", "two", "one");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> theirs.put(new Money("USD", 3), "three"));
  }
}
