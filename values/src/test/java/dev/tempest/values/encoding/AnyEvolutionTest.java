package dev.tempest.values.encoding;

import static dev.tempest.values.encoding.AnyTypeTest.bytes;
import static dev.tempest.values.encoding.AnyTypeTest.readAny;
import static dev.tempest.values.encoding.AnyTypeTest.readOpaque;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Two nodes run different releases of a program, and share what they store. */
class AnyEvolutionTest {
  record First(String item, int quantity) {}

  record Added(String item, @Nullable String note, int quantity) {}

  record Defaulted(String item, int quantity, String note) {
    Defaulted {
      note = note == null ? "none" : note;
    }
  }

  record AddedPrimitive(String item, int quantity, long weight) {}

  record Removed(String item) {}

  record Reordered(int quantity, String item) {}

  record Ranked(String item) implements Comparable<Ranked> {
    @Override
    public int compareTo(Ranked other) {
      return other.item.compareTo(item);
    }
  }

  enum Color {
    RED,
    GREEN
  }

  enum Hue {
    RED
  }

  private static final First FIRST = new First("tea", 2);
  private static final ValueType<First> FIRSTS = ValueType.any(First.class);

  @Test
  void anAddedReferenceIsNull() {
    Bytes old = renamed(bytes(FIRSTS, FIRST), Added.class);
    Added added = new Added("tea", null, 2);

    assertThat(readAny(ValueType.any(Added.class), old)).isEqualTo(added);
    assertThat(bytes(ValueType.any(Added.class), added)).isEqualTo(old);
  }

  @Test
  void componentsMayChangePlaces() {
    Bytes old = renamed(bytes(FIRSTS, FIRST), Reordered.class);
    assertThat(readAny(ValueType.any(Reordered.class), old)).isEqualTo(new Reordered(2, "tea"));
  }

  /** The older node has to find what it stored: the bytes stay, the user sees the value. */
  @Test
  void aRemovedComponentIsNotSeenAndNotLost() {
    Bytes old = renamed(bytes(FIRSTS, FIRST), Removed.class);
    ValueType<Object> type = ValueType.any(Object.class, Removed.class);
    Object stored = readAny(type, old);

    assertThat(type.copy(stored)).isEqualTo(new Removed("tea"));
    assertThat(bytes(type, stored)).isEqualTo(old);
    assertThat(type.hash(stored)).isEqualTo(FIRSTS.hash(FIRST));
    assertThat(type.isSame(stored, new Removed("tea"))).isTrue();
    assertThat(type.isSame(stored, new Removed("coffee"))).isFalse();
    assertThat(type.compare(stored, new Removed("tea"))).isNotZero();
    assertThat(type.compare(stored, stored)).isZero();
  }

  @Test
  void anAddedComponentMayHaveADefault() {
    Bytes old = renamed(bytes(FIRSTS, FIRST), Defaulted.class);
    ValueType<Object> type = ValueType.any(Object.class, Defaulted.class);
    Object stored = readAny(type, old);

    assertThat(type.copy(stored)).isEqualTo(new Defaulted("tea", 2, "none"));
    assertThat(bytes(type, stored)).isEqualTo(old);
  }

  @Test
  void anAddedPrimitiveIsOpaqueWithTheReason() {
    Bytes old = renamed(bytes(FIRSTS, FIRST), AddedPrimitive.class);
    Opaque opaque = readOpaque(ValueType.any(AddedPrimitive.class), old);

    assertThat(opaque.className()).isEqualTo(AddedPrimitive.class.getName());
    assertThat(opaque.reason())
        .isEqualTo(
            "component weight of "
                + AddedPrimitive.class.getName()
                + " is missing or has another kind: a component that is added has to be of a"
                + " reference type, which can be null");
    assertThat(opaque.hashCode()).isEqualTo(FIRSTS.hash(FIRST));
  }

  @Test
  void aRemovedConstantIsOpaqueWithTheReason() {
    ValueType<Color> colors = ValueType.any(Color.class);
    ValueType<Hue> hues = ValueType.any(Hue.class);

    Opaque opaque = readOpaque(hues, renamed(bytes(colors, Color.GREEN), Hue.class));
    assertThat(opaque.reason()).isEqualTo(Hue.class.getName() + " has no constant GREEN");
    assertThat(opaque.hashCode()).isEqualTo(colors.hash(Color.GREEN));
    assertThat(readAny(hues, renamed(bytes(colors, Color.RED), Hue.class))).isEqualTo(Hue.RED);
  }

  @Test
  void aClassThatBecameAnotherKindIsOpaque() {
    Bytes asEnum = bytes(ValueType.any(Color.class), Color.RED);
    assertThat(readOpaque(FIRSTS, renamed(asEnum, First.class)).reason()).contains("not declared");
  }

  @Test
  void aListOfWhatIsNotDeclaredIsOpaqueAsAWhole() {
    ValueType<Object> declared = ValueType.any(Object.class, First.class);
    Bytes list = bytes(declared, List.of("tea", FIRST));
    Opaque opaque = readOpaque(ValueType.any(Object.class), list);

    assertThat(opaque.className()).isEqualTo("java.util.List");
    assertThat(opaque.reason()).isEqualTo(First.class.getName() + " is not declared here");
    assertThat(opaque.hashCode()).isEqualTo(declared.hash(List.of("tea", FIRST)));
  }

  @Test
  void aBuiltInClassOfANewerVersionIsOpaque() {
    ByteWriter writer = new ByteWriter(10);
    writer.writeByte(ClassTag.FIRST_NAMED - 1);
    writer.writeBytes(Bytes.of((byte) 1));
    Opaque opaque = readOpaque(ValueType.any(Object.class), writer.toBytes());

    assertThat(opaque.className()).isEqualTo("a built-in class of a newer version");
  }

  @Test
  void whatCannotBeReadComesAfterWhatCan() {
    ValueType<Object> type = ValueType.any(Object.class, Ranked.class, Removed.class);
    Object unreadable =
        readAny(type, renamed(bytes(ValueType.any(Color.class), Color.RED), Color.class));
    Object ranked = new Ranked("a");

    assertThat(type.compare(ranked, new Ranked("b"))).isPositive();
    assertThat(type.compare(unreadable, ranked)).isNegative(); // An enum: by tag.
    ByteWriter bad = new ByteWriter(200);
    new ClassTag(ClassTag.RECORD, Ranked.class.getName()).write(bad);
    bad.writeBytes(Bytes.EMPTY);
    Object badRanked = readAny(type, bad.toBytes());
    assertThat(badRanked).isInstanceOf(Opaque.class);
    assertThat(type.compare(badRanked, ranked)).isPositive();
    assertThat(type.compare(ranked, badRanked)).isNegative();
  }

  /** The same value as the other release writes it: of the class of the same name. */
  private static Bytes renamed(Bytes bytes, Class<?> other) {
    ByteReader reader = bytes.reader();
    ClassTag tag = ClassTag.read(reader);
    ByteWriter writer = new ByteWriter(1_000);
    new ClassTag(tag.number(), other.getName()).write(writer);
    reader.readRaw(reader.remaining()).writeTo(writer);
    return writer.toBytes();
  }
}
