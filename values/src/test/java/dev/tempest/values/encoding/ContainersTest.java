package dev.tempest.values.encoding;

import static dev.tempest.values.encoding.AnyTypeTest.bytes;
import static dev.tempest.values.encoding.AnyTypeTest.readAny;
import static dev.tempest.values.encoding.AnyTypeTest.readOpaque;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.values.TooLargeException;
import dev.tempest.values.UnsupportedTypeException;
import dev.tempest.values.ValueFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Lists, sets, maps and arrays by value: nothing that is stored changes from outside. */
@SuppressWarnings("ArrayRecordComponent") // Arrays are values: that is what is tested.
class ContainersTest {
  record Basket(List<String> items, Map<String, List<Integer>> counts, Set<TimeUnit> units) {}

  record Strict(List<String> items) {
    Strict {
      items = List.copyOf(items);
    }
  }

  record Shots(List<byte[]> shots, String[] names) {}

  record Raw(@SuppressWarnings("rawtypes") List items) {}

  record Unbound<T>(List<T> items) {}

  record Grows<T>(List<Grows<List<T>>> more) {}

  record Grown(Grows<String> grows) {}

  record Chain(List<Chain> next) {}

  private static final ValueType<Object> ANY =
      ValueType.any(Object.class, Basket.class, Strict.class, Shots.class, Chain.class);

  @Test
  void whatIsStoredDoesNotChangeWithWhatWasGiven() {
    List<String> items = new ArrayList<>(List.of("tea"));
    Map<String, List<Integer>> counts = new LinkedHashMap<>();
    counts.put("tea", new ArrayList<>(List.of(1)));
    Basket basket = new Basket(items, counts, new LinkedHashSet<>(Set.of(TimeUnit.DAYS)));

    Basket stored = (Basket) ANY.copy(basket);
    items.add("coffee");
    counts.get("tea").add(2);
    basket.units().clear();

    assertThat(stored.items()).containsExactly("tea");
    assertThat(stored.counts()).containsOnly(Map.entry("tea", List.of(1)));
    assertThat(stored.units()).containsExactly(TimeUnit.DAYS);
    assertThat(ANY.copy(stored)).as("costs nothing on the way out").isSameAs(stored);
  }

  /** As arguments and results of services are. */
  @Test
  void aListThatGrowsWhileItIsWrittenIsWrittenAsItWasAtOneMoment() {
    List<String> growing =
        new CopyOnWriteArrayList<>(List.of("tea")) {
          @Override
          public int size() {
            int before = super.size();
            add("coffee");
            return before;
          }
        };
    ValueType<Basket> baskets = ValueType.of(Basket.class);
    ByteWriter writer = new ByteWriter(1_000);
    baskets.write(new Basket(growing, Map.of(), Set.of()), writer);
    Basket read = Objects.requireNonNull(ValueTypeTest.read(baskets, writer.toBytes()));
    assertThat(read.items()).startsWith("tea");
  }

  @Test
  void whatIsGivenOutCannotBeChanged() {
    Basket read =
        (Basket)
            readAny(
                ANY,
                bytes(
                    ANY,
                    new Basket(List.of("tea"), Map.of("tea", List.of(1)), Set.of(TimeUnit.DAYS))));

    assertThatThrownBy(() -> read.items().set(0, "x"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> read.items().add("x"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> read.items().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> read.units().remove(TimeUnit.DAYS))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> read.counts().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> read.counts().entrySet().iterator().next().setValue(List.of()))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> read.counts().keySet().remove("tea"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void arraysWithinAreCopiedOnTheWayOutToo() {
    Shots stored = (Shots) ANY.copy(new Shots(List.of(new byte[] {1}), new String[] {"a"}));
    Shots out = (Shots) ANY.copy(stored);
    out.shots().get(0)[0] = 9;
    out.names()[0] = "x";

    assertThat(stored.shots().get(0)).containsExactly(1);
    assertThat(stored.names()).containsExactly("a");
  }

  @Test
  void aRecordThatCopiesItsListsItselfIsNotCopiedAgain() {
    Strict strict = new Strict(new ArrayList<>(List.of("tea")));
    assertThat(ANY.copy(strict)).isSameAs(strict);
  }

  /** The order of insertion says nothing about equality, so it cannot be part of a value. */
  @Test
  void equalSetsAndMapsIterateAlike() {
    Set<Object> one = new LinkedHashSet<>(List.of("b", 2, "a", 1L, TimeUnit.DAYS.toString()));
    Set<Object> other = new LinkedHashSet<>(List.of("DAYS", 1L, "a", 2, "b"));

    assertThat(bytes(ANY, one)).isEqualTo(bytes(ANY, other));
    assertThat(ANY.copy(one).toString())
        .isEqualTo(ANY.copy(other).toString())
        .isEqualTo(readAny(ANY, bytes(ANY, one)).toString())
        .isEqualTo("[DAYS, a, b, 2, 1]");
    Map<String, Integer> map = new LinkedHashMap<>();
    map.put("b", 1);
    map.put("a", 2);
    assertThat(ANY.copy(map)).hasToString("{a=2, b=1}");
    assertThat(ANY.copy(new ArrayList<>(List.of("b", "a")))).hasToString("[b, a]");
  }

  @Test
  void copiesAnswerLikeAnySetAndMap() {
    @SuppressWarnings("unchecked")
    Set<Object> set = (Set<Object>) ANY.copy(new LinkedHashSet<>(List.of("b", "a")));
    @SuppressWarnings("unchecked")
    Map<Object, Object> map = (Map<Object, Object>) ANY.copy(new LinkedHashMap<>(Map.of("a", 1)));

    assertThat(set.contains("a")).isTrue();
    assertThat(set.contains("c")).isFalse();
    assertThat(set).hasSize(2).isEqualTo(Set.of("a", "b"));
    assertThat(set.stream().toList()).containsExactly("a", "b");
    assertThat(map.get("a")).isEqualTo(1);
    assertThat(map.get("b")).isNull();
    assertThat(map.containsKey("a")).isTrue();
    assertThat(map.containsKey("b")).isFalse();
    assertThat(map.keySet()).containsExactly("a");
    assertThat(map).hasSize(1).isEqualTo(Map.of("a", 1)).hasSameHashCodeAs(Map.of("a", 1));
  }

  @Test
  void nullIsRefusedWhereItStands() {
    assertThatThrownBy(() -> ANY.copy(Arrays.asList("a", null)))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("null within a List");
    assertThatThrownBy(() -> bytes(ANY, new String[] {null}))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("null within a String[]");
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("a", null);
    assertThatThrownBy(() -> ANY.copy(map))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("null within a Map");
    assertThatThrownBy(() -> ANY.copy(new LinkedHashSet<>(Arrays.asList("a", null))))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("null within a Set");
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void whatARawTypeLetInIsRefused() {
    List<Object> polluted = new ArrayList<>(List.of(1));
    Basket basket = new Basket((List) polluted, Map.of(), Set.of());

    assertThatThrownBy(() -> ANY.copy(basket))
        .isInstanceOf(ClassCastException.class)
        .hasMessage("found a java.lang.Integer in a List of java.lang.String");
    assertThatThrownBy(() -> ANY.copy(List.of(Thread.State.NEW)))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining("java.lang.Thread$State is not declared");
  }

  @Test
  void whatDoesNotSayOfWhatItIsIsRefused() {
    assertThatThrownBy(() -> ValueType.of(Raw.class))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessage("java.util.List (found at Raw.items) has no type arguments: declare them");
    assertThatThrownBy(() -> ValueType.of(Unbound.class))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining("Unbound is a generic record (found at Unbound.items<T>)");
    assertThatThrownBy(() -> ValueType.of(Grown.class))
        .isInstanceOf(UnsupportedTypeException.class)
        .hasMessageContaining("without end");
  }

  @Test
  void nestedTooDeepIsRefusedOnEveryWay() {
    List<Object> itself = new ArrayList<>();
    itself.add(itself);
    assertThatThrownBy(() -> ANY.copy(itself)).isInstanceOf(TooLargeException.class);
    assertThatThrownBy(() -> bytes(ANY, itself)).isInstanceOf(TooLargeException.class);

    Object deepest = "a";
    for (int i = 0; i < ValueFormat.NESTING_MAX; i++) {
      deepest = List.of(deepest);
    }
    assertThat(readAny(ANY, bytes(ANY, deepest))).isEqualTo(deepest);
    assertThat(readOpaque(ANY, nestedLists(ValueFormat.NESTING_MAX + 1)).reason())
        .isEqualTo("values nested deeper than 64");
    assertThat(readOpaque(ANY, nestedLists(20_000)).reason()).contains("deeper");
    assertThatThrownBy(() -> ValueTypeTest.read(ValueType.of(Chain.class), nestedChains(5_000)))
        .isInstanceOf(MalformedException.class);
  }

  @Test
  void aCountIsCheckedBeforeAnythingIsAllocated() {
    for (int tag : new int[] {0x21, 0x22, 0x23}) {
      ByteWriter writer = new ByteWriter(10);
      writer.writeByte(tag);
      writer.writeByte(5);
      writer.writeVarint(Integer.MAX_VALUE);
      assertThat(readOpaque(ANY, writer.toBytes()).reason()).contains("2147483647 exceeds");
    }
  }

  private static Bytes nestedLists(int levels) {
    ByteWriter writer = new ByteWriter(1_000_000);
    for (int i = 0; i < levels; i++) {
      writer.insertVarint(0, 1); // Of one element, whose size and tag come first.
      writer.insertVarint(0, writer.size());
      writer.insertVarint(0, 0x21);
    }
    // The innermost list says that it has an element: whoever gets there finds none.
    return writer.toBytes();
  }

  private static Bytes nestedChains(int levels) {
    ByteWriter writer = new ByteWriter(1_000_000);
    for (int i = 0; i < levels; i++) {
      ByteWriter component = new ByteWriter(10);
      component.writeInt(Kind.BINARY.tag("next"));
      writer.insertVarint(0, 1);
      writer.insertVarint(0, writer.size());
      for (byte each : reversed(component.toBytes().toArray())) {
        writer.insertVarint(0, 0);
        writer.array()[0] = each;
      }
      writer.insertVarint(0, 1);
    }
    writer.insertVarint(0, 1);
    return writer.toBytes();
  }

  private static byte[] reversed(byte[] bytes) {
    byte[] reversed = bytes.clone();
    for (int i = 0; i < bytes.length; i++) {
      reversed[i] = bytes[bytes.length - 1 - i];
    }
    return reversed;
  }
}
