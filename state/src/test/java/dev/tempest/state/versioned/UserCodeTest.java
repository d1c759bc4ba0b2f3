package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.state.Merge;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Code of users that fails where the writes of others are applied harms one value, whatever it
 * throws; but for a full memory, where what comes of it would depend on that.
 */
@Execution(ExecutionMode.SAME_THREAD) // What the code of users does is the same for all tests.
final class UserCodeTest {
  /** What the code of users does at this moment. */
  private static Runnable code = UserCodeTest::succeed;

  /** Of a user's, and not even its message can be had. */
  private static final class Mute extends Error {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("mute");
    }
  }

  record Order(String text, int number) implements Comparable<Order> {
    Order {
      code.run();
    }

    @Override
    public int compareTo(Order other) {
      code.run();
      return Integer.compare(number, other.number);
    }
  }

  private final LocalHome one = new LocalHome().numbered(1);
  private final LocalHome two = new LocalHome().numbered(2);

  static List<Throwable> failures() {
    return List.of(new Error("of a user"), new InternalError(), new Exception(), new Mute());
  }

  /** Its bytes stay, whatever it was. */
  static List<Throwable> failuresOfConstructors() {
    return Stream.concat(failures().stream(), Stream.of(new OutOfMemoryError("of a user")))
        .toList();
  }

  private static void succeed() {}

  private static void failWith(Throwable thrown) {
    code = () -> UserCodeTest.<RuntimeException>sneak(thrown);
  }

  @SuppressWarnings("unchecked") // Other languages need no trick.
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @AfterEach
  void recover() {
    code = UserCodeTest::succeed;
  }

  @ParameterizedTest
  @MethodSource("failuresOfConstructors")
  void aConstructorOfAValue(Throwable thrown) {
    Map<String, Order> theirs = two.state.map("map", String.class, Order.class);
    one.state.map("map", String.class, Order.class).put("k", new Order("tea", 1));
    failWith(thrown);
    two.apply(one.written);
    assertThat(theirs).containsKey("k");
    assertThatExceptionOfType(UnreadableValueException.class).isThrownBy(() -> theirs.get("k"));
    assertThat(two.bytes()).as("kept").isEqualTo(one.bytes());
  }

  @ParameterizedTest
  @MethodSource("failuresOfConstructors")
  void aConstructorOfAKey(Throwable thrown) {
    Map<Order, String> theirs = two.state.map("map", Order.class, String.class);
    one.state.map("map", Order.class, String.class).put(new Order("tea", 1), "v");
    failWith(thrown);
    two.apply(one.written);
    assertThat(theirs).hasSize(1);
    assertThat(two.bytes()).as("kept").isEqualTo(one.bytes());
  }

  @ParameterizedTest
  @MethodSource("failures")
  void anOrder(Throwable thrown) {
    ConcurrentNavigableMap<Order, String> theirs = sorted(two);
    sorted(one).put(new Order("tea", 1), "v");
    two.apply(one.written);
    failWith(thrown);
    assertThat(theirs.values()).containsExactly("v");
    code = UserCodeTest::succeed;
    sorted(one).remove(new Order("tea", 1));
    two.apply(one.written);
    failWith(thrown);
    assertThat(theirs.values()).isEmpty();
  }

  private static ConcurrentNavigableMap<Order, String> sorted(LocalHome home) {
    return home.state.sortedMap("map", Order.class, String.class);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aMergeFunction(Throwable thrown) {
    Map<String, Long> theirs = mergedAtTwo();
    failWith(thrown);
    two.apply(one.written);
    assertThat(theirs).containsEntry("k", 2L);
    assertThat(two.state.takeComplaint()).contains("'late' threw " + thrown.getClass().getName());
  }

  /** It says nothing about the value: another node may have the memory. */
  @Test
  void aFullMemoryIsNotTheValuesFault() {
    mergedAtTwo();
    OutOfMemoryError full = new OutOfMemoryError("on purpose");
    failWith(full);
    assertThatThrownBy(() -> two.apply(one.written)).isSameAs(full);
  }

  /** Both have a value, and {@link LocalHome#written} of one merges. */
  private Map<String, Long> mergedAtTwo() {
    Merge<Long> late =
        Merge.of(
            "late",
            (a, b) -> {
              code.run();
              return a + b;
            });
    one.state.register(late);
    two.state.register(late);
    Map<String, Long> theirs = two.state.map("map", String.class, Long.class);
    theirs.put("k", 1L);
    one.state.map("map", String.class, Long.class).merge("k", 2L, late);
    return theirs;
  }
}
