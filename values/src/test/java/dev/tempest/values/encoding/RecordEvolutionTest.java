package dev.tempest.values.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A record is changed while values of its earlier form are stored or on their way. */
@SuppressWarnings("ArrayRecordComponent") // byte[] is a value: that is what is tested.
class RecordEvolutionTest {
  record First(String item, int quantity) {}

  record Added(String item, @Nullable String note, int quantity, @Nullable Long weight) {}

  record AddedPrimitive(String item, int quantity, long weight) {}

  record Removed(String item) {}

  record Reordered(int quantity, String item) {}

  record Widened(String item, long quantity) {}

  record Boxed(String item, @Nullable Integer quantity) {}

  record OtherKind(String item, double quantity) {}

  record Retyped(String item, @Nullable String quantity) {}

  record Bag(
      boolean flag,
      float single,
      double precise,
      String item,
      byte[] content,
      DayOfWeek day,
      First first,
      int quantity) {}

  record Day(DayOfWeek day) {}

  record DayName(String day) {}

  private static final First FIRST = new First("tea", 2);

  @Test
  void anAddedReferenceIsNull() {
    assertThat(convert(First.class, FIRST, Added.class)).isEqualTo(new Added("tea", null, 2, null));
  }

  @Test
  void anAddedPrimitiveIsRefusedByName() {
    assertThatThrownBy(() -> convert(First.class, FIRST, AddedPrimitive.class))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("component weight of " + AddedPrimitive.class.getName());
  }

  @Test
  void aRemovedComponentIsPassedOver() {
    assertThat(convert(First.class, FIRST, Removed.class)).isEqualTo(new Removed("tea"));
    assertThat(convert(Added.class, new Added("tea", "hot", 2, 3L), First.class)).isEqualTo(FIRST);
  }

  @Test
  void componentsOfEveryKindArePassedOver() {
    Bag bag = new Bag(true, 1f, 2d, "tea", new byte[3], DayOfWeek.FRIDAY, FIRST, 2);
    assertThat(convert(Bag.class, bag, First.class)).isEqualTo(FIRST);
  }

  @Test
  void theOrderOfComponentsMayChange() {
    assertThat(convert(First.class, FIRST, Reordered.class)).isEqualTo(new Reordered(2, "tea"));
  }

  @Test
  void numbersMayGrowWiderAndNarrowerWhileTheyFit() {
    assertThat(convert(First.class, FIRST, Widened.class)).isEqualTo(new Widened("tea", 2));
    assertThat(convert(Widened.class, new Widened("tea", -3), First.class))
        .isEqualTo(new First("tea", -3));
    assertThatThrownBy(() -> convert(Widened.class, new Widened("tea", 1L << 40), First.class))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("component quantity of " + First.class.getName());
  }

  @Test
  void aPrimitiveMayBecomeBoxedAndBackUnlessNull() {
    assertThat(convert(First.class, FIRST, Boxed.class)).isEqualTo(new Boxed("tea", 2));
    assertThat(convert(Boxed.class, new Boxed("tea", 2), First.class)).isEqualTo(FIRST);
    assertThatThrownBy(() -> convert(Boxed.class, new Boxed("tea", null), First.class))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("component quantity of " + First.class.getName());
  }

  @Test
  void aComponentOfAnotherKindIsRefusedAndNotNull() {
    assertThatThrownBy(() -> convert(First.class, FIRST, Retyped.class))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("component quantity of " + Retyped.class.getName())
        .hasMessageContaining("another type");
    assertThatThrownBy(() -> convert(First.class, FIRST, OtherKind.class))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("component quantity of " + OtherKind.class.getName());
  }

  @Test
  void anEnumMayBecomeAStringAndBack() {
    assertThat(convert(Day.class, new Day(DayOfWeek.FRIDAY), DayName.class))
        .isEqualTo(new DayName("FRIDAY"));
    assertThat(convert(DayName.class, new DayName("FRIDAY"), Day.class))
        .isEqualTo(new Day(DayOfWeek.FRIDAY));
  }

  @Test
  void aComponentThatComesTwiceIsRefused() {
    ByteWriter writer = new ByteWriter(100);
    writer.writeBoolean(true);
    writer.writeByte(2);
    for (int i = 0; i < 2; i++) {
      writer.writeInt(Kind.TEXT.tag("item"));
      writer.writeString("tea");
    }

    assertThatThrownBy(() -> ValueTypeTest.read(ValueType.of(Removed.class), writer.toBytes()))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("component item of " + Removed.class.getName() + " occurs twice");
  }

  private static <F, T> @Nullable T convert(Class<F> from, F value, Class<T> to) {
    return ValueTypeTest.read(ValueType.of(to), ValueTypeTest.bytes(ValueType.of(from), value));
  }
}
