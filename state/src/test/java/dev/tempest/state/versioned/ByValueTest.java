package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is stored cannot be changed from outside, nor what is outside from what is stored. */
class ByValueTest {
  private final VersionedState state = new VersionedState();
  private final ConcurrentMap<String, byte[]> map = state.map("map", String.class, byte[].class);
  private final ConcurrentMap<Integer, Picture> pictures =
      state.map("pictures", int.class, Picture.class);

  @SuppressWarnings("ArrayRecordComponent") // What is copied.
  record Picture(String title, byte[] pixels) {}

  @BeforeEach
  void begin() {
    state.begin(state.emptyVersion(), 0, 0);
  }

  @Test
  void whatWasPutStaysWhateverHappensToTheArray() {
    byte[] array = {1, 2, 3};
    Picture picture = new Picture("dot", array);
    map.put("a", array);
    pictures.put(1, picture);
    array[0] = 9;

    assertThat(map.get("a")).containsExactly(1, 2, 3);
    assertThat(pictures.getOrDefault(1, picture).pixels()).containsExactly(1, 2, 3);
  }

  @Test
  void whatWasGotCanBeChangedWithoutEffect() {
    map.put("a", new byte[] {1, 2, 3});

    map.getOrDefault("a", new byte[1])[0] = 9;
    map.values().iterator().next()[0] = 9;
    map.entrySet().iterator().next().getValue()[0] = 9;
    map.forEach((key, value) -> value[0] = 9);
    map.computeIfPresent(
        "a",
        (key, value) -> {
          byte[] changed = value.clone();
          value[0] = 9;
          return changed;
        });
    byte[] merged = map.merge("b", new byte[] {4}, (left, right) -> left);
    if (merged != null) {
      merged[0] = 9;
    }

    assertThat(map.get("a")).containsExactly(1, 2, 3);
    assertThat(map.get("b")).containsExactly(4);
  }

  @Test
  void toolsCannotChangeAVersionEither() {
    map.put("a", new byte[] {1, 2, 3});
    Version version = state.action().commit();
    for (int i = 0; i < 2; i++) {
      for (Object contents : state.contents(version).values()) {
        for (Object value : ((Map<?, ?>) contents).values()) {
          assertThat((byte[]) value).containsExactly(1, 2, 3);
          ((byte[]) value)[0] = 9;
        }
      }
    }
  }

  @Test
  void arraysCompareByContents() {
    map.put("a", new byte[] {1, 2});
    assertThat(map.replace("a", new byte[] {1, 3}, new byte[] {4})).isFalse();
    assertThat(map.replace("a", new byte[] {1, 2}, new byte[] {3})).isTrue();
    assertThat(map.remove("a", new byte[] {1})).isFalse();
    assertThat(map.remove("a", new byte[] {3})).isTrue();
    assertThat(map).isEmpty();
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void rawTypesCannotSmuggleOtherClassesIn() {
    Map raw = map;
    assertThatExceptionOfType(ClassCastException.class)
        .isThrownBy(() -> raw.put("a", "text"))
        .withMessageContaining("java.lang.String");
    assertThatExceptionOfType(ClassCastException.class)
        .isThrownBy(() -> raw.put(1, new byte[0]))
        .withMessageContaining("java.lang.Integer");
    assertThat(raw.get(1)).isNull();
    assertThat(raw.containsKey(1)).isFalse();
    assertThat(raw.remove(1)).isNull();
  }
}
