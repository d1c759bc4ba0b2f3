package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TrieMapTest {
  /** From good to hopeless: long shared prefixes, few places, all 32 bits equal. */
  private static final List<ToIntFunction<String>> HASHES =
      List.of(
          String::hashCode,
          key -> key.hashCode() & 3,
          key -> key.hashCode() << 29,
          key -> key.hashCode() << 25,
          key -> (key.hashCode() & 1) << 31 | (key.hashCode() & 2) << 14,
          key -> 0,
          key -> -1);

  static LongStream seeds() {
    return Seeds.of(210);
  }

  @Test
  void keepsTheEntryThatAPublishedTrieLost() {
    TrieMap<String, Integer> map = TrieMap.empty(new BadHash(String::hashCode));
    map = map.put("AaAa", 1).put("BBBB", 2).remove("BBBB").put("AaBB", 3);

    assertThat(contents(map)).containsExactlyInAnyOrder("AaAa=1", "AaBB=3");
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void doesWhatATreeMapDoesAndStaysCanonical(long seed) {
    BadHash keys = new BadHash(HASHES.get((int) (seed % HASHES.size())));
    Random random = new Random(seed);
    int keyCount = 1 + random.nextInt(40);
    TrieMap<String, Integer> map = TrieMap.empty(keys);
    TreeMap<String, Integer> model = new TreeMap<>();
    for (int step = 0; step < 300; step++) {
      String key = key(random.nextInt(keyCount));
      TrieMap<String, Integer> before = map;
      List<String> contentsBefore = contents(before);
      if (random.nextInt(100) < (step % 100 < 50 ? 65 : 35)) {
        Integer value = random.nextInt(3);
        map = map.put(key, value);
        assertThat(map == before).isEqualTo(value.equals(model.put(key, value)));
      } else {
        map = map.remove(key);
        assertThat(map == before).isEqualTo(model.remove(key) == null);
      }
      assertThat(contents(before)).as("the map before step %s", step).isEqualTo(contentsBefore);
      assertIs(map, model, random);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void showsEveryDifferenceOnce(long seed) {
    BadHash keys = new BadHash(HASHES.get((int) (seed % HASHES.size())));
    Random random = new Random(seed);
    int keyCount = 1 + random.nextInt(40);
    TrieMap<String, Integer> empty = TrieMap.empty(keys);
    for (int round = 0; round < 20; round++) {
      TrieMap<String, Integer> before = written(empty, random, keyCount, random.nextInt(60));
      TrieMap<String, Integer> start = random.nextInt(4) == 0 ? empty : before;
      TrieMap<String, Integer> after = written(start, random, keyCount, random.nextInt(60));
      Map<String, String> shown = new TreeMap<>();
      after.difference(
          before,
          (key, old, now) -> assertThat(shown.put(key, old + " -> " + now)).as(key).isNull());

      Map<String, String> expected = new TreeMap<>();
      for (int number = 0; number < keyCount; number++) {
        String key = key(number);
        if (!Objects.equals(before.get(key), after.get(key))) {
          expected.put(key, before.get(key) + " -> " + after.get(key));
        }
      }
      assertThat(shown).isEqualTo(expected);
    }
  }

  @Test
  void findsEachOfManyCollidingKeys() {
    TrieMap<String, Integer> map = TrieMap.empty(new BadHash(key -> 7));
    for (int i = 0; i < 1000; i++) {
      map = map.put("key" + i, i);
      assertThat(map.get("key" + i)).isEqualTo(i);
      assertThat(map.get("key" + (i + 1))).isNull();
    }
    TrieInvariants.check(map);
    for (int i = 0; i < 1000; i += 2) {
      map = map.remove("key" + i).put("key" + (i + 1), -i);
    }
    for (int i = 0; i < 1000; i += 2) {
      assertThat(map.get("key" + i)).isNull();
      assertThat(map.get("key" + (i + 1))).isEqualTo(-i);
    }
  }

  @Test
  void holdsManyAndGivesThemUpAgain() {
    TrieMap<String, Integer> map = TrieMap.empty(new BadHash(String::hashCode));
    for (int i = 0; i < 100_000; i++) {
      map = map.put("key" + i, i);
    }
    TrieInvariants.check(map);
    assertThat(map.size()).isEqualTo(100_000);
    for (int i = 0; i < 100_000; i++) {
      assertThat(map.get("key" + i)).isEqualTo(i);
      map = map.remove("key" + i);
    }
    assertThat(map.root).isSameAs(TrieNode.EMPTY);
  }

  @Test
  void theOrderOfCollidingKeysIsThatOfTheirType() {
    TrieMap<String, Integer> map = TrieMap.empty(new BadHash(key -> 7));
    for (String key : List.of("b", "\u00e4", "a", "bb", "", "aa")) {
      map = map.put(key, 0);
    }
    assertThat(contents(map)).containsExactly("=0", "a=0", "aa=0", "b=0", "bb=0", "\u00e4=0");
  }

  private static TrieMap<String, Integer> written(
      TrieMap<String, Integer> before, Random random, int keyCount, int writes) {
    TrieMap<String, Integer> map = before;
    for (int i = 0; i < writes; i++) {
      String key = key(random.nextInt(keyCount));
      map = random.nextBoolean() ? map.put(key, random.nextInt(3)) : map.remove(key);
    }
    return map;
  }

  /** Short, and with many String.hashCode collisions: Aa and BB have the same one. */
  private static String key(int number) {
    StringBuilder key = new StringBuilder();
    for (int rest = number; rest > 0; rest >>= 1) {
      key.append((rest & 1) == 0 ? "Aa" : "BB");
    }
    return key.toString();
  }

  private static void assertIs(
      TrieMap<String, Integer> map, Map<String, Integer> model, Random random) {
    TrieInvariants.check(map);
    assertThat(map.size()).isEqualTo(model.size());
    model.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
    List<Map.Entry<String, Integer>> entries = new ArrayList<>(model.entrySet());
    Collections.shuffle(entries, random);
    TrieMap<String, Integer> rebuilt = TrieMap.empty(map.keys());
    for (Map.Entry<String, Integer> entry : entries) {
      rebuilt = rebuilt.put(entry.getKey(), entry.getValue());
    }
    assertThat(contents(rebuilt)).isEqualTo(contents(map)).hasSize(model.size());
    assertThat(TrieInvariants.structure(rebuilt)).isEqualTo(TrieInvariants.structure(map));
    assertThat(rebuilt.hasContentsOf(map, Integer::equals)).isTrue();
  }

  private static List<String> contents(TrieMap<String, Integer> map) {
    List<String> contents = new ArrayList<>();
    TrieCursor<String, Integer> cursor = map.cursor();
    while (cursor.advance()) {
      contents.add(cursor.key() + "=" + cursor.value());
    }
    assertThat(cursor.advance()).isFalse();
    return contents;
  }
}
