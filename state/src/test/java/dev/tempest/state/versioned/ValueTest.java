package dev.tempest.state.versioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.tempest.state.ReadOnlyException;
import dev.tempest.state.Value;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ValueTest {
  private final VersionedState state = new VersionedState();
  private final Value<String> value = state.value("value", String.class);
  private final Value<byte[]> array = state.value("array", byte[].class);
  private final Value<Integer> number = state.value("number", Integer.class);

  static LongStream seeds() {
    return Seeds.of(20);
  }

  @Test
  void holdsNothingAtFirstAndAfterNull() {
    state.begin(state.emptyVersion(), 0, 0);
    assertThat(value.get()).isNull();
    assertThat(value).hasToString("null");
    value.set("a");
    assertThat(value.get()).isEqualTo("a");
    assertThat(value).hasToString("a");
    value.set(null);
    assertThat(value.get()).isNull();
    assertThat(state.action().commit()).isEqualTo(state.emptyVersion());
  }

  @Test
  void comparesByContents() {
    state.begin(state.emptyVersion(), 0, 0);
    assertThat(array.compareAndSet(new byte[] {1}, new byte[] {2})).isFalse();
    assertThat(array.compareAndSet(null, new byte[] {1})).isTrue();
    assertThat(array.compareAndSet(null, new byte[] {2})).isFalse();
    assertThat(array.compareAndSet(new byte[] {1}, new byte[] {2})).isTrue();
    assertThat(array.get()).containsExactly(2);
    assertThat(array.compareAndSet(new byte[] {2}, null)).isTrue();
    assertThat(array.compareAndSet(null, null)).isTrue();
    assertThat(array.get()).isNull();
  }

  @Test
  void goesInAndOutByValue() {
    state.begin(state.emptyVersion(), 0, 0);
    byte[] outside = {1};
    array.set(outside);
    outside[0] = 9;
    byte[] got = array.getAndUpdate(old -> old);
    assertThat(got).containsExactly(1);
    if (got != null) {
      got[0] = 9;
    }
    assertThat(array.get()).containsExactly(1);
  }

  @Test
  void aFunctionThatThrowsChangesNothing() {
    state.begin(state.emptyVersion(), 0, 0);
    value.set("a");
    assertThatIllegalStateException()
        .isThrownBy(() ->
            value.updateAndGet(old -> {
              throw new IllegalStateException("no");
            }));
    assertThat(value.get()).isEqualTo("a");
  }

  @Test
  @SuppressWarnings("NullAway") // What is refused.
  void refusesNoFunction() {
    state.begin(state.emptyVersion(), 0, 0);
    assertThatNullPointerException().isThrownBy(() -> value.updateAndGet(null));
    assertThatNullPointerException().isThrownBy(() -> value.getAndUpdate(null));
  }

  @Test
  void writesOnlyWhereWritingIsAllowed() {
    state.beginReadOnly(state.emptyVersion(), 0);
    List<Runnable> writes =
        List.of(
            () -> value.set("a"),
            () -> value.set(null),
            () -> value.compareAndSet("x", "y"),
            () -> value.getAndSet("a"),
            () -> value.updateAndGet(old -> old),
            () -> value.getAndUpdate(old -> old));
    for (Runnable write : writes) {
      assertThatExceptionOfType(ReadOnlyException.class).isThrownBy(write::run);
    }
    assertThat(value.get()).isNull();
    state.action().abort();
    assertThatIllegalStateException().isThrownBy(value::get);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  // The model; small numbers are the same objects.
  @SuppressWarnings({"UnnecessaryAsync", "PrimitiveAtomicReference"})
  void doesWhatAnAtomicReferenceDoes(long seed) {
    Random random = new Random(seed);
    AtomicReference<@Nullable Integer> model = new AtomicReference<>();
    Version version = state.emptyVersion();
    for (int step = 0; step < 100; step++) {
      VersionedAction action = state.begin(version, 0, 0);
      Integer some = random.nextInt(4) == 0 ? null : random.nextInt(3);
      Integer other = random.nextInt(4) == 0 ? null : random.nextInt(3);
      switch (random.nextInt(7)) {
        case 0 -> {
          number.set(some);
          model.set(some);
        }
        case 1 -> assertThat(number.getAndSet(some)).isEqualTo(model.getAndSet(some));
        case 2 ->
            assertThat(number.compareAndSet(some, other))
                .isEqualTo(model.compareAndSet(some, other));
        case 3 ->
            assertThat(number.updateAndGet(old -> sum(old, some)))
                .isEqualTo(model.updateAndGet(old -> sum(old, some)));
        case 4 ->
            assertThat(number.getAndUpdate(old -> sum(old, some)))
                .isEqualTo(model.getAndUpdate(old -> sum(old, some)));
        case 5 ->
            assertThat(number.accumulateAndGet(some, ValueTest::sum))
                .isEqualTo(model.accumulateAndGet(some, ValueTest::sum));
        default ->
            assertThat(number.getAndAccumulate(some, ValueTest::sum))
                .isEqualTo(model.getAndAccumulate(some, ValueTest::sum));
      }
      assertThat(number.get()).isEqualTo(model.get());
      Change change = action.change();
      Version after = action.commit();
      assertThat(change.applyTo(version)).isEqualTo(after);
      version = after;
    }
  }

  /** Not commutative, and nothing for large ones. */
  private static @Nullable Integer sum(@Nullable Integer left, @Nullable Integer right) {
    int sum = 2 * (left == null ? 0 : left) + (right == null ? 0 : right);
    return sum > 10 ? null : sum;
  }
}
