package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tempest.state.Merge;
import dev.tempest.state.TimedMap;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.ValueType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What two nodes write to one key at the same time, each before it hears of the other. */
final class SharedWritesTest {
  private static final Bytes NOTHING = Bytes.EMPTY;

  private final LocalHome one = new LocalHome();
  private final LocalHome two = new LocalHome();

  @Test
  void theLaterWriteWins() {
    map(one).put("k", 1L);
    map(two).put("k", 2L);
    exchange(one.written, two.written);
    assertThat(map(one)).containsEntry("k", 2L);
  }

  @Test
  void incrementsOfACounterAddUp() {
    one.state.counter("n").add(5);
    two.state.counter("n").add(7);
    LocalHome all = new LocalHome();
    all.apply(one.written);
    all.apply(two.written);
    assertThat(all.state.counter("n").get()).isEqualTo(12);
  }

  @Test
  void mergesWithAKnownFunctionAddUp() {
    map(one).merge("k", 5L, Merge.sum());
    map(two).merge("k", 7L, Merge.sum());
    exchange(one.written, two.written);
    assertThat(map(one)).containsEntry("k", 12L);
  }

  private static List<Error> thrown() {
    return List.of(
        new AssertionError("of a user"),
        new NoClassDefFoundError("missing here"),
        new StackOverflowError());
  }

  /** A function of a user's fails at everybody who applies the write: it must harm nobody. */
  @ParameterizedTest
  @MethodSource("thrown")
  void mergesThatFailWhereAnotherWriteCameInBetweenAreWritesOfTheirOperand(Error thrown) {
    Merge<Long> small =
        Merge.of(
            "small",
            (a, b) -> {
              if (a + b > 9) {
                throw thrown;
              }
              return a + b;
            });
    LocalHome all = new LocalHome();
    ConcurrentMap<String, Long> map = map(all);
    all.state.register(small);
    two.state.register(small);
    map(one).put("k", 9L);
    map(two).put("k", 1L);
    map(two).merge("k", 2L, small);
    all.apply(one.written);
    all.apply(two.written);
    assertThat(map).containsEntry("k", 2L);
    assertThat(all.state.takeComplaint())
        .startsWith(
            "the merge function 'small' threw "
                + thrown.getClass().getName()
                + " for concurrent writes to an entry of map 'map'");
  }

  @Test
  void operandsThatPileUpAreNamed() {
    Merge<Long> rare = Merge.of("rare", Long::sum);
    one.state.register(rare);
    map(one).put("k", 1L);
    two.apply(one.written);
    for (int i = 1; i < 1_000; i++) {
      map(one).merge("k", 1L, rare);
      two.apply(one.written);
    }
    assertThat(two.state.takeComplaint()).isNull();
    map(one).merge("k", 1L, rare);
    two.apply(one.written);
    assertThat(two.state.takeComplaint())
        .startsWith(
            "an entry of map 'map' has 1000 operands of 'rare' that this node cannot merge");
    two.state.register(rare);
    two.upgrade();
    assertThat(map(two)).as("nothing was lost").containsEntry("k", 1_001L);
  }

  @Test
  void sumsWrapAroundWhateverTheirOrder() {
    map(one).merge("k", Long.MAX_VALUE, Merge.sum());
    map(two).merge("k", 2L, Merge.sum());
    exchange(one.written, two.written);
    assertThat(map(one)).containsEntry("k", Long.MIN_VALUE + 1);
    map(one).merge("k", -2L, Merge.sum());
    assertThat(map(one)).containsEntry("k", Long.MAX_VALUE);
  }

  @Test
  void mergesWithinOneActionAreOne() {
    one.enter();
    map(one).merge("k", 5L, Merge.sum());
    map(one).merge("k", 6L, Merge.sum());
    one.leave();
    map(two).put("k", 100L);
    exchange(two.written, one.written);
    assertThat(map(one)).containsEntry("k", 111L);
  }

  @Test
  void aMergeAfterAReadThatKeepsAliveAddsUp() {
    terms(new Lifetime(0, 1_000, 0), false);
    map(one).put("k", 98L);
    exchange(one.written, NOTHING);
    for (LocalHome each : List.of(one, two)) {
      each.nowMillis += 500;
      each.enter();
      map(each).get("k");
      map(each).merge("k", -1L, Merge.sum());
      map(each).get("k");
      each.leave();
    }
    exchange(one.written, two.written);
    assertThat(map(one)).containsEntry("k", 96L);
  }

  @Test
  void theFirstMergesAddUpWhereEntriesEnd() {
    terms(new Lifetime(1_000, 500, 10), false);
    map(one).merge("k", 5L, Merge.sum());
    map(two).merge("k", 7L, Merge.sum());
    exchange(one.written, two.written);
    assertThat(map(one)).containsEntry("k", 12L);
  }

  @Test
  void mergesIntoWhatIsOverStartAnew() {
    ((TimedMap<String, Long>) map(one)).put("k", 100L, Duration.ofMillis(10));
    exchange(one.written, NOTHING);
    one.nowMillis += 10;
    two.nowMillis += 10;
    map(one).merge("k", 5L, Merge.sum());
    map(two).merge("k", 7L, Merge.sum());
    exchange(one.written, two.written);
    assertThat(map(one)).containsEntry("k", 12L);
  }

  @Test
  void aMergeIsAUse() {
    terms(new Lifetime(0, 1_000, 0), false);
    map(one).merge("k", 5L, Merge.sum());
    one.nowMillis += 900;
    map(one).merge("k", 5L, Merge.sum());
    one.nowMillis += 900;
    assertThat(map(one)).containsEntry("k", 10L);
  }

  @Test
  void mergesWithSeveralFunctionsInOneActionAddUp() {
    map(one).put("k", 20L);
    exchange(one.written, NOTHING);
    one.enter();
    map(one).merge("k", 1L, Merge.sum());
    map(one).merge("k", 10L, Merge.max());
    map(one).merge("k", 2L, Merge.sum());
    one.leave();
    map(two).merge("k", 5L, Merge.sum());
    exchange(two.written, one.written);
    assertThat(map(one)).containsEntry("k", 28L);
  }

  @Test
  void aMergeAfterAConditionAddsUp() {
    terms(Lifetime.UNLIMITED, true);
    for (LocalHome each : List.of(one, two)) {
      each.enter();
      map(each).putIfAbsent("k", 0L);
      map(each).merge("k", 1L, Merge.sum());
      each.leave();
    }
    exchange(one.written, two.written);
    assertThat(map(one)).containsEntry("k", 2L);
    one.enter();
    map(one).merge("k", 1L, Merge.sum());
    map(one).put("k", 50L);
    map(one).merge("k", 1L, Merge.sum());
    one.leave();
    map(two).put("k", 7L);
    exchange(two.written, one.written);
    assertThat(map(one)).containsEntry("k", 51L);
  }

  private void terms(Lifetime lifetime, boolean decidesEverywhere) {
    one.with("map", new Terms(lifetime, decidesEverywhere));
    two.with("map", new Terms(lifetime, decidesEverywhere));
  }

  @Test
  void mergesWithAnyOtherFunctionAreWritesOfTheirResult() {
    map(one).merge("k", 5L, Long::sum);
    map(two).merge("k", 7L, Long::sum);
    exchange(one.written, two.written);
    assertThat(map(one)).containsEntry("k", 7L);
  }

  @Test
  void aFunctionOfOnesOwnIsRegisteredBeforeItIsUsed() {
    Merge<Long> or = Merge.of("or", (a, b) -> a | b);
    ConcurrentMap<String, Long> map = map(one);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> map.merge("k", 1L, or))
        .withMessageContaining("register it at every node");
    one.state.register(or);
    map.merge("k", 1L, or);
    map.merge("k", 4L, or);
    assertThat(map).containsEntry("k", 5L);
    assertThatIllegalStateException()
        .isThrownBy(() -> one.state.register(Merge.of("or", (Long a, Long b) -> a)));
  }

  @Test
  void whatIsMergedByAFunctionUnknownHereIsKeptUntilItIsKnown() {
    Merge<Long> or = Merge.of("or", (a, b) -> a | b);
    one.state.register(or);
    ConcurrentMap<String, Long> theirs = map(two);
    map(one).put("k", 1L);
    two.apply(one.written);
    map(one).merge("k", 4L, or);
    two.apply(one.written);
    map(one).merge("k", 8L, or);
    two.apply(one.written);
    assertThatIllegalStateException()
        .isThrownBy(() -> theirs.get("k"))
        .withMessageContaining("'or', which is not registered");

    LocalHome third = new LocalHome();
    map(third);
    third.take(two.bytes());
    assertThat(third.published()).isEqualTo(two.published());

    third.state.register(or);
    third.upgrade();
    assertThat(map(third)).containsEntry("k", 13L);
    assertThat(third.published()).isEqualTo(one.published());
  }

  @Test
  void anOperandThatDoesNotFitWins() {
    ValueType<String> keys = ValueType.of(String.class);
    ValueType<Object> values = ValueType.any(Object.class);
    ConcurrentMap<String, Object> ours = TypedCollections.map(one.state, "o", keys, values);
    ConcurrentMap<String, Object> theirs = TypedCollections.map(two.state, "o", keys, values);
    ours.put("k", "text");
    @SuppressWarnings("unchecked") // It refuses what is no number.
    Merge<Object> sum = (Merge<Object>) (Merge<?>) Merge.<Long>sum();
    theirs.merge("k", 7L, sum);
    one.apply(two.written);
    assertThat(ours).containsEntry("k", 7L);
  }

  @Test
  void whoeverWritesDecides() {
    map(one).putIfAbsent("k", 1L);
    map(two).putIfAbsent("k", 2L);
    exchange(one.written, two.written);
    assertThat(map(one)).containsEntry("k", 2L);
  }

  @Test
  void orAllDecideInTheOrderOfWrites() {
    Terms terms = new Terms(Lifetime.UNLIMITED, true);
    one.with("map", terms);
    two.with("map", terms);
    map(one).putIfAbsent("k", 1L);
    map(two).putIfAbsent("k", 2L);
    exchange(one.written, two.written);
    assertThat(map(one)).containsEntry("k", 1L);

    map(one).replace("k", 1L, 10L);
    map(two).remove("k", 1L);
    exchange(one.written, two.written);
    assertThat(map(one)).containsEntry("k", 10L);
  }

  /** Both apply what both wrote, in one order. */
  private void exchange(Bytes first, Bytes second) {
    LocalHome both = new LocalHome();
    List.of(one, two, both).forEach(SharedWritesTest::map);
    both.take(before);
    both.apply(first);
    if (!second.equals(NOTHING)) {
      both.apply(second);
    }
    one.take(both.bytes());
    two.take(both.bytes());
    before = both.bytes();
  }

  private Bytes before = new LocalHome().bytes();

  private static ConcurrentMap<String, Long> map(LocalHome home) {
    return home.state.map("map", String.class, Long.class);
  }
}
