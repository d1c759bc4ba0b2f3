package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.state.Counter;
import dev.tempest.state.Value;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FootprintTest {
  private static final int KEYS = 8;

  /** The same objects in every node, declared in any order, some of them by the way. */
  private static final class Node {
    private static final Map<String, Function<VersionedState, Object>> DECLARATIONS =
        new LinkedHashMap<>();

    static {
      DECLARATIONS.put("map", state -> state.map("map", String.class, Long.class));
      DECLARATIONS.put("other", state -> state.map("other", String.class, Long.class));
      DECLARATIONS.put("set", state -> state.set("set", Integer.class));
      DECLARATIONS.put("sorted", state -> state.sortedMap("sorted", Long.class, String.class));
      DECLARATIONS.put("list", state -> state.list("list", String.class));
      DECLARATIONS.put("value", state -> state.value("value", String.class));
      DECLARATIONS.put("counter", state -> state.counter("counter"));
      DECLARATIONS.put("unused", state -> state.map("unused", String.class, Long.class));
    }

    final VersionedState state = new VersionedState();
    private final Map<String, Object> objects = new LinkedHashMap<>();

    Node(List<String> order) {
      for (String name : order) {
        objects.put(name, Objects.requireNonNull(DECLARATIONS.get(name)).apply(state));
      }
    }

    static Node shuffled(long seed) {
      List<String> order = new ArrayList<>(DECLARATIONS.keySet());
      Collections.shuffle(order, new Random(seed));
      return new Node(order);
    }

    static Node inOrder() {
      return new Node(List.copyOf(DECLARATIONS.keySet()));
    }

    @SuppressWarnings("unchecked") // As declared.
    Map<String, Long> map(String name) {
      return (Map<String, Long>) object(name);
    }

    @SuppressWarnings("unchecked") // As declared.
    private Set<Integer> set() {
      return (Set<Integer>) object("set");
    }

    @SuppressWarnings("unchecked") // As declared.
    private NavigableMap<Long, String> sorted() {
      return (NavigableMap<Long, String>) object("sorted");
    }

    @SuppressWarnings("unchecked") // As declared.
    private List<String> list() {
      return (List<String>) object("list");
    }

    @SuppressWarnings("unchecked") // As declared.
    private Value<String> value() {
      return (Value<String>) object("value");
    }

    Counter counter() {
      return (Counter) object("counter");
    }

    private Object object(String name) {
      return Objects.requireNonNull(objects.get(name));
    }

    /** Reads and writes by a seed; the writes depend on what is read. */
    VersionedAction act(Version before, long seed) {
      VersionedAction action = state.beginTraced(before, seed, seed);
      Random random = new Random(seed);
      for (int i = random.nextInt(4); i >= 0; i--) {
        act(random);
      }
      return action;
    }

    private void act(Random random) {
      Map<String, Long> map = map(random.nextBoolean() ? "map" : "other");
      NavigableMap<Long, String> sorted = sorted();
      String key = "k" + random.nextInt(KEYS);
      int number = random.nextInt(KEYS);
      switch (random.nextInt(9)) {
        case 0 -> map.merge(key, 1L, Long::sum);
        case 1 -> map.remove(key);
        case 2 -> map.put(key, (long) map.size());
        case 3 -> set().add(number);
        case 4 -> sorted.put((long) number, map.containsKey(key) ? "with" : "without");
        case 5 -> list().add(key);
        case 6 -> value().set(map.getOrDefault(key, 0L) + value().get());
        case 7 -> counter().add(set().contains(number) ? 1 : 2);
        default -> {
          if (!sorted.isEmpty()) {
            counter().add(sorted.firstKey());
          }
        }
      }
    }
  }

  private static LongStream seeds() {
    return Seeds.of(300);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void nodesThatDeclareInOtherOrdersFindTheSameFootprints(long seed) {
    Node here = Node.inOrder();
    Node there = Node.shuffled(seed);
    Version ours = here.state.emptyVersion();
    Version theirs = there.state.emptyVersion();
    for (int i = 0; i < 5; i++) {
      VersionedAction our = here.act(ours, 5 * seed + i);
      ours = our.commit();
      VersionedAction their = there.act(theirs, 5 * seed + i);
      theirs = their.commit();
      assertThat(bytes(our.footprint())).isEqualTo(bytes(their.footprint()));
      assertThat(bytes(our.change().footprint())).isEqualTo(bytes(their.change().footprint()));
    }
  }

  /** An action that was executed on an older version counts if nothing that it touched differs. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whatADifferenceDoesNotMeetDoesTheSameOnBothVersions(long seed) {
    Node here = Node.inOrder();
    Node there = Node.shuffled(seed);
    Version before = here.act(here.state.emptyVersion(), seed).commit();
    VersionedAction action = here.act(before, ~seed);
    action.commit();
    Footprint travelled = Footprint.read(bytes(action.footprint()).reader());

    Version since = before;
    Difference difference = new Difference();
    for (int i = 1; i < 3; i++) {
      VersionedAction other = there.act(carried(here, since, there), seed + i);
      other.commit();
      Change change = here.state.readChange(bytes(there, other.change()).reader());
      Version after = change.applyTo(since);
      difference.add(change.footprint(), since, after);
      since = after;
    }
    assertThat(difference.meets(travelled)).isEqualTo(difference.meets(action.footprint()));
    if (!difference.meets(travelled)) {
      VersionedAction again = here.act(since, ~seed);
      assertThat(again.commit())
          .isEqualTo(action.footprint().applyTo(since))
          .isEqualTo(action.change().applyTo(since));
      assertThat(bytes(again.footprint())).isEqualTo(bytes(travelled));
    }
  }

  @Test
  void theBytesArePinned() {
    Node node = Node.inOrder();
    VersionedAction action = node.state.beginTraced(node.state.emptyVersion(), 0, 0);
    Map<String, Long> map = node.map("map");
    map.put("apple", 1L);
    map.put("apple", 2L);
    assertThat(map.containsKey("pear")).isFalse();
    node.counter().increment();
    action.commit();
    assertThat(bytes(action.footprint())).isEqualTo(hex("010003982d94c432e637687c2e5383"));
    assertThat(bytes(Footprint.NONE)).isEqualTo(hex("010000"));
    assertThat(bytes(Footprint.EVERYTHING)).isEqualTo(hex("0101"));
  }

  @Test
  void whatTouchesVeryMuchDependsOnEverything() {
    Node node = Node.inOrder();
    Map<String, Long> map = node.map("map");
    VersionedAction action = node.state.beginTraced(node.state.emptyVersion(), 0, 0);
    IntStream.range(0, Trail.TOUCHED_MAX + 1).forEach(i -> map.put("k" + i, 0L));
    action.commit();
    assertThat(bytes(action.footprint())).isEqualTo(bytes(Footprint.EVERYTHING));
    assertThat(bytes(action.change().footprint())).isEqualTo(bytes(Footprint.EVERYTHING));
    assertThat(Footprint.read(hex("0101").reader()).isEverything()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // Nothing.
        "020000", // Another layout.
        "01", // Cut short.
        "0102", // Neither true nor false.
        "010001", // A number lacks.
        "010001000000", // It is cut short.
        "01000100000000", // It is 0.
        "0100020000000200000001", // They fall.
        "0100020000000100000001", // One comes twice.
        "0100ffffffff0f00000001", // More than there are bytes.
      })
  void bytesThatAreNoFootprintAreRefused(String malformed) {
    assertThatThrownBy(() -> Footprint.read(hex(malformed).reader()))
        .isInstanceOf(MalformedException.class);
  }

  @Test
  void moreNumbersThanAnActionLeavesAreRefused() {
    ByteWriter writer = new ByteWriter(1 << 20);
    writer.writeVarint(1);
    writer.writeBoolean(false);
    writer.writeVarint(Trail.TOUCHED_MAX + 1);
    IntStream.rangeClosed(1, Trail.TOUCHED_MAX + 1).forEach(writer::writeInt);
    assertThatThrownBy(() -> Footprint.read(writer.toBytes().reader()))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("1024");
  }

  private static Bytes hex(String hex) {
    return Bytes.of(HexFormat.of().parseHex(hex));
  }

  private static Bytes bytes(Footprint footprint) {
    ByteWriter writer = new ByteWriter(1 << 20);
    footprint.write(writer);
    return writer.toBytes();
  }

  private static Bytes bytes(Node node, Change change) {
    ByteWriter writer = new ByteWriter(1 << 20);
    node.state.writeChange(change, writer);
    return writer.toBytes();
  }

  private static Version carried(Node from, Version version, Node to) {
    return WholeVersion.read(to.state, WholeVersion.bytes(from.state, version));
  }
}
