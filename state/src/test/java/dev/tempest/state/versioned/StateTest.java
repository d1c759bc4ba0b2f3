package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.tempest.state.Counter;
import dev.tempest.state.ReadOnlyException;
import dev.tempest.values.UnsupportedTypeException;
import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.ValueType;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateTest {
  private final VersionedState state = new VersionedState();
  private final ConcurrentMap<String, Integer> stock =
      state.map("stock", String.class, Integer.class);
  private final Set<Long> seen = state.set("seen", Long.class);
  private final Counter orders = state.counter("orders");
  private final Version empty = state.emptyVersion();

  @SuppressWarnings("ArrayRecordComponent") // What is refused.
  record Keyed(int number, byte[] bytes) {}

  @ParameterizedTest
  @ValueSource(strings = {"", "Carts", "my carts", "carts_2", "k\u00e4rren"})
  void refusesNamesThatAreNone(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new VersionedState().counter(name))
        .withMessageContaining("'" + name + "'")
        .withMessageContaining("a-z, 0-9 and -");
  }

  @Test
  void takesNamesOf64CharactersAndRefusesLongerOnes() {
    new VersionedState().counter("a-9".repeat(21) + "z");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new VersionedState().counter("a".repeat(65)));
  }

  @Test
  void refusesANameTwice() {
    VersionedState twice = new VersionedState();
    twice.set("carts", String.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> twice.map("carts", String.class, String.class))
        .withMessageContaining("set 'carts'");
  }

  @Test
  void refusesDeclarationsOnceThereIsAVersion() {
    assertThatIllegalStateException()
        .isThrownBy(() -> state.counter("late"))
        .withMessageContaining("'late'")
        .withMessageContaining("constructor");
  }

  /** Of values whose own code fails. */
  private static final class FailingType implements ValueType<String> {
    @Override
    public Class<String> declared() {
      return String.class;
    }

    @Override
    public boolean hasContentEquality() {
      return true;
    }

    @Override
    public long mostBytes(String value) {
      return 1;
    }

    @Override
    public void write(@Nullable String value, ByteWriter writer) {
      throw new AssertionError("of a test");
    }

    @Override
    public String read(ByteReader reader) {
      throw new AssertionError("of a test");
    }

    @Override
    public String copy(String value) {
      return value;
    }

    @Override
    public int hash(String value) {
      return value.length();
    }
  }

  @Test
  void theSizeOfWhatCannotBeEncodedIsNotKnown() {
    VersionedState failing = new VersionedState();
    Map<String, String> map =
        TypedCollections.map(failing, "m", ValueType.of(String.class), new FailingType());
    VersionedAction action = failing.begin(failing.emptyVersion(), 0, 0);
    map.put("a", "b");
    assertThat(action.commit().sizes())
        .containsExactly(new CollectionSize("map 'm'", 1, CollectionSize.NOT_KNOWN));
  }

  @Test
  void refusesKeysThatHaveNoEquality() {
    assertThatExceptionOfType(UnsupportedTypeException.class)
        .isThrownBy(() -> new VersionedState().map("m", byte[].class, String.class))
        .withMessageContaining("byte[]");
    assertThatExceptionOfType(UnsupportedTypeException.class)
        .isThrownBy(() -> new VersionedState().set("s", Keyed.class))
        .withMessageContaining("Keyed");
  }

  @Test
  void refusesTypesThatAreNoValues() {
    assertThatExceptionOfType(UnsupportedTypeException.class)
        .isThrownBy(() -> new VersionedState().map("m", String.class, Thread.class))
        .withMessageContaining("java.lang.Thread");
  }

  @Test
  void anActionSeesItsOwnWritesAndCommitsThemAsAWhole() {
    VersionedAction action = state.begin(empty, 0, 0);
    stock.put("apple", 3);
    stock.merge("apple", 4, Integer::sum);
    seen.add(7L);
    orders.add(5);
    assertThat(stock).containsExactly(Map.entry("apple", 7));
    assertThat(seen).containsExactly(7L);
    assertThat(orders.increment()).isEqualTo(6);
    Version after = action.commit();

    assertThat(contents(after)).isEqualTo("{stock={apple=7}, seen=[7], orders=6}");
    assertThat(contents(empty)).isEqualTo("{stock={}, seen=[], orders=0}");
    state.begin(empty, 0, 0);
    assertThat(stock).isEmpty();
    assertThat(seen).isEmpty();
    assertThat(orders.get()).isZero();
  }

  @Test
  void anAbortedActionLeavesNothingBehind() {
    VersionedAction action = state.begin(empty, 0, 0);
    stock.put("apple", 3);
    orders.increment();
    action.abort();

    assertThat(contents(empty)).isEqualTo("{stock={}, seen=[], orders=0}");
    assertThat(state.begin(empty, 0, 0).commit()).isSameAs(empty);
  }

  @Test
  void writesThatChangeNothingGiveTheSameVersion() {
    VersionedAction first = state.begin(empty, 0, 0);
    stock.put("apple", 3000);
    seen.add(7L);
    Version filled = first.commit();

    VersionedAction second = state.begin(filled, 0, 0);
    stock.put("apple", 3000);
    stock.remove("pear");
    stock.replace("pear", 1);
    seen.add(7L);
    seen.remove(8L);
    orders.add(0);
    assertThat(second.commit()).isSameAs(filled);
  }

  @Test
  void aThreadExecutesOneActionAtATime() {
    VersionedAction action = state.begin(empty, 0, 0);
    assertThatIllegalStateException()
        .isThrownBy(() -> state.beginReadOnly(empty, 0))
        .withMessageContaining("commit or abort it first");
    action.commit();
    assertThatIllegalStateException().isThrownBy(action::commit);
    VersionedAction next = state.begin(empty, 0, 0);
    action.abort(); // It has ended: nothing is left to do.
    assertThat(state.action()).isSameAs(next);
  }

  @Test
  void threadsExecuteActionsAtTheSameTimeAndEachSeesItsOwn() throws Exception {
    VersionedAction here = state.begin(empty, 0, 0);
    stock.put("apple", 1);
    Version there =
        elsewhere(() -> {
          assertThatIllegalStateException().isThrownBy(state::action);
          VersionedAction action = state.begin(empty, 0, 0);
          stock.put("pear", 2);
          assertThat(stock).containsOnlyKeys("pear");
          return action.commit();
        });
    assertThat(state.action()).isSameAs(here);
    assertThat(stock).containsOnlyKeys("apple");
    elsewhere(() -> assertThatIllegalStateException().isThrownBy(here::commit));
    assertThat(state.contents(here.commit()).get("stock")).isEqualTo(Map.of("apple", 1));
    assertThat(state.contents(there).get("stock")).isEqualTo(Map.of("pear", 2));
  }

  @Test
  void aThreadExecutesActionsOnSeveralStatesAtATime() {
    VersionedState inner = new VersionedState();
    Counter visits = inner.counter("visits");
    VersionedAction outer = state.begin(empty, 0, 0);
    orders.add(1);
    VersionedAction action = inner.begin(inner.emptyVersion(), 0, 0);
    visits.add(2);
    orders.add(3);
    assertThat(state.contents(outer.commit()).get("orders")).isEqualTo(4L);
    assertThat(inner.contents(action.commit())).isEqualTo(Map.of("visits", 2L));
    assertThatIllegalStateException().isThrownBy(orders::get);
  }

  private static <T> T elsewhere(Callable<T> task) throws Exception {
    FutureTask<T> future = new FutureTask<>(task);
    Thread.ofPlatform().start(future).join();
    return future.get();
  }

  @Test
  void refusesTheVersionOfAnotherState() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> state.begin(new VersionedState().emptyVersion(), 0, 0))
        .withMessageContaining("another state");
  }

  @Test
  void outsideAnActionEveryUseSaysSo() {
    List<Supplier<?>> uses =
        List.of(
            state::action,
            stock::size,
            () -> stock.get("apple"),
            () -> stock.put("apple", 1),
            () -> stock.keySet().iterator(),
            stock::toString,
            () -> seen.contains(1L),
            () -> seen.add(1L),
            orders::get,
            orders::increment);
    for (Supplier<?> use : uses) {
      assertThatIllegalStateException()
          .isThrownBy(use::get)
          .withMessageContaining("no request is executing");
    }
  }

  @Test
  void aReadOnlyActionReadsAndRefusesToWrite() {
    VersionedAction action = state.begin(empty, 0, 0);
    stock.put("apple", 3);
    seen.add(7L);
    Version filled = action.commit();

    VersionedAction reading = state.beginReadOnly(filled, 0);
    assertThat(stock.get("apple")).isEqualTo(3);
    Iterator<String> keys = stock.keySet().iterator();
    keys.next();
    Map.Entry<String, Integer> entry = stock.entrySet().iterator().next();
    List<Runnable> writes =
        List.of(
            () -> stock.put("apple", 3),
            () -> stock.remove("pear"),
            () -> stock.putIfAbsent("apple", 3),
            () -> stock.replaceAll((key, value) -> value),
            () -> stock.computeIfAbsent("apple", key -> 1),
            () -> stock.computeIfPresent("pear", (key, value) -> 1),
            () -> stock.compute("pear", (key, value) -> null),
            () -> stock.merge("apple", 1, Integer::sum),
            () -> stock.remove("pear", 1),
            () -> stock.replace("pear", 1, 2),
            () -> stock.replace("pear", 1),
            stock::clear,
            keys::remove,
            () -> entry.setValue(4),
            () -> seen.add(7L),
            () -> seen.remove(8L),
            seen::clear,
            orders::increment);
    for (Runnable write : writes) {
      assertThatExceptionOfType(ReadOnlyException.class).isThrownBy(write::run);
    }
    assertThat(reading.commit()).isSameAs(filled);
  }

  @Test
  void theCounterGoesRoundAtItsBounds() {
    state.begin(empty, 0, 0);
    orders.add(Long.MAX_VALUE);
    assertThat(orders.increment()).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void timeAndRandomnessComeFromTheAction() {
    VersionedAction action = state.begin(empty, 1_700_000_000_000L, 1_234_567);
    assertThat(action.now()).isEqualTo(Instant.parse("2023-11-14T22:13:20Z"));
    assertThat(action.random()).isSameAs(action.random());
    assertThat(action.random().nextLong()).isEqualTo(6457827717110365317L);
  }

  @Test
  void iteratorsWalkOverTheMomentWhenTheyWereMade() {
    state.begin(empty, 0, 0);
    for (int i = 0; i < 100; i++) {
      stock.put("key" + i, i);
    }
    int seenEntries = 0;
    for (Map.Entry<String, Integer> entry : stock.entrySet()) {
      stock.remove(entry.getKey());
      stock.put("new" + entry.getKey(), entry.setValue(1));
      seenEntries++;
    }
    assertThat(seenEntries).isEqualTo(100);
    assertThat(stock).hasSize(200).containsEntry("key5", 1).containsEntry("newkey5", 5);
  }

  @Test
  void aFunctionMayUseTheMapItself() {
    state.begin(empty, 0, 0);
    stock.put("apple", 1);
    stock.computeIfAbsent("pear", key -> stock.merge(key, 5, Integer::sum) + 1);
    stock.compute("apple", (key, value) -> stock.remove(key));
    stock.merge("pear", 1, (left, right) -> left + right + stock.size());
    assertThat(stock).hasSize(2).containsEntry("apple", 1).containsEntry("pear", 9);
  }

  private String contents(Version version) {
    return state.contents(version).toString();
  }
}
