package dev.tempest.state;

import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A single value, or none, as a part of the state, in the spirit of {@link
 * java.util.concurrent.atomic.AtomicReference}.
 *
 * <p>Null means no value, at first and whenever null is set. Values are copied in and out, and
 * compare by their contents, never by identity.
 *
 * <p>Every method is one action: no other thread of this node comes between its read and its write.
 * If several nodes write concurrently, the last write in the order of all writes stays, whatever it
 * was computed from. To count at several nodes, use a {@link Counter} or a registered merge.
 *
 * <p>A function that computes a value is called once. If the value is linearizable, what counts was
 * computed from what was there, by whichever node: the function is called again where another node
 * has written meanwhile.
 *
 * <p>In a service, use it from the thread of the action that executes; outside one every method
 * throws {@link IllegalStateException}, and in an action that only reads every write throws {@link
 * ReadOnlyException}.
 *
 * @param <V> the type of the value
 */
public interface Value<V> {
  /** The value; null for none. */
  @Nullable V get();

  /** Sets the value; null for none. */
  void set(@Nullable V value);

  /**
   * Sets the value if it has the contents expected.
   *
   * @param expected null for none
   * @param value null for none
   * @return whether it was set
   */
  boolean compareAndSet(@Nullable V expected, @Nullable V value);

  /**
   * Sets the value.
   *
   * @param value null for none
   * @return what was there before; null for none
   */
  @Nullable V getAndSet(@Nullable V value);

  /**
   * Sets the value to what {@code function} makes of it. The function gets null for no value.
   *
   * @return what was there before; null for none
   */
  @Nullable V getAndUpdate(UnaryOperator<@Nullable V> function);

  /**
   * Sets the value to what {@code function} makes of it. The function gets null for no value.
   *
   * @return what is there after it; null for none
   */
  @Nullable V updateAndGet(UnaryOperator<@Nullable V> function);

  /**
   * Sets the value to what {@code function} makes of it and {@code operand}, in this order. The
   * function gets null for no value.
   *
   * @return what was there before; null for none
   */
  default @Nullable V getAndAccumulate(@Nullable V operand, BinaryOperator<@Nullable V> function) {
    return getAndUpdate(value -> function.apply(value, operand));
  }

  /**
   * Sets the value to what {@code function} makes of it and {@code operand}, in this order. The
   * function gets null for no value.
   *
   * @return what is there after it; null for none
   */
  default @Nullable V accumulateAndGet(@Nullable V operand, BinaryOperator<@Nullable V> function) {
    return updateAndGet(value -> function.apply(value, operand));
  }
}
