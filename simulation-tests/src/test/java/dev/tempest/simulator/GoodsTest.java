package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a replica of an older release has lost or changed is seen. */
class GoodsTest {
  private static final Goods.Good LABELLED = new Goods.Labelled(1, "no. 1");

  private static boolean isWhole(Goods.Good good, @Nullable String note, Set<Long> tags) {
    Map<Long, Goods.Good> bought = Map.of(1L, good);
    Map<Long, WithNote> notes = Map.of(1L, new WithNote(1, note));
    return Goods.isWhole(Map.of("bought", bought, "notes", notes), tags);
  }

  @Test
  void whatIsAsItWasWrittenIsWhole() {
    assertThat(isWhole(LABELLED, "no. 1", Set.of(1L))).isTrue();
    assertThat(isWhole(new Goods.Plain(1), "no. 1", Set.of(1L))).isTrue();
    assertThat(isWhole(new Goods.Plain(1), null, Set.of(1L))).isTrue();
  }

  @Test
  void aWriteOfWhichAnotherCollectionIsMissingIsHalf() {
    assertThat(isWhole(LABELLED, "no. 1", Set.of(1L, 2L))).isFalse();
    assertThat(isWhole(LABELLED, "no. 1", Set.of())).isFalse();
  }

  @Test
  void aLostOrChangedComponentIsSeen() {
    assertThat(isWhole(LABELLED, null, Set.of(1L))).isFalse();
    assertThat(isWhole(LABELLED, "no. 2", Set.of(1L))).isFalse();
    assertThat(isWhole(new Goods.Labelled(1, "another"), "no. 1", Set.of(1L))).isFalse();
    assertThat(isWhole(new Goods.Plain(2), "no. 1", Set.of(1L))).isFalse();
  }
}
