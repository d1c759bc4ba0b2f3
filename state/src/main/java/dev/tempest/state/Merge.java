package dev.tempest.state;

import dev.tempest.state.versioned.Names;
import java.util.Objects;
import java.util.function.BinaryOperator;

/**
 * A merge function with a name. {@link java.util.Map#merge} with it sends the operand, not the
 * result, so concurrent merges of several nodes all count.
 *
 * <p>It must be commutative and associative, depend only on its arguments, and not return null:
 * replicas may apply it in any order. What it throws reaches the caller of {@code merge}, who then
 * has written nothing. If it throws only once a concurrent write is known, nobody can be asked any
 * more: the later operand replaces the value, as a put would, and the node logs a warning. So write
 * functions that return for all values.
 *
 * <pre>{@code
 * counts.merge("visits", 1L, Merge.sum());
 * }</pre>
 *
 * <p>Register your own functions at every node before you use them.
 *
 * @param <V> the values
 */
public final class Merge<V> implements BinaryOperator<V> {
  private static final Merge<Object> SUM = new Merge<>("sum", Merge::add);
  private static final Merge<Object> MAX = new Merge<>("max", (a, b) -> compare(a, b) >= 0 ? a : b);
  private static final Merge<Object> MIN = new Merge<>("min", (a, b) -> compare(a, b) <= 0 ? a : b);

  private final String name;
  private final BinaryOperator<V> function;

  private Merge(String name, BinaryOperator<V> function) {
    this.name = Objects.requireNonNull(name);
    this.function = Objects.requireNonNull(function);
    Names.require(name);
  }

  /**
   * A function of your own.
   *
   * @param name 1 to 64 characters of a-z, 0-9 and -, the same at all nodes
   * @throws IllegalArgumentException if the name is not valid
   */
  public static <V> Merge<V> of(String name, BinaryOperator<V> function) {
    return new Merge<>(name, function);
  }

  /**
   * The sum of two Integers, Longs or Doubles. Integers and Longs wrap around where they overflow,
   * as with {@code +}, so that the sum does not depend on the order. Doubles add up in the same
   * order everywhere.
   */
  @SuppressWarnings("unchecked") // It returns what it gets.
  public static <V extends Number> Merge<V> sum() {
    return (Merge<V>) (Merge<?>) SUM;
  }

  /** The greater of two. */
  @SuppressWarnings("unchecked") // It returns what it gets.
  public static <V extends Comparable<? super V>> Merge<V> max() {
    return (Merge<V>) (Merge<?>) MAX;
  }

  /** The lesser of two. */
  @SuppressWarnings("unchecked") // It returns what it gets.
  public static <V extends Comparable<? super V>> Merge<V> min() {
    return (Merge<V>) (Merge<?>) MIN;
  }

  /** The name under which replicas know it. */
  public String name() {
    return name;
  }

  @Override
  public V apply(V left, V right) {
    return Objects.requireNonNull(
        function.apply(left, right), () -> "merge function '" + name + "' returned null");
  }

  @Override
  public String toString() {
    return "Merge[" + name + "]";
  }

  private static Object add(Object left, Object right) {
    return switch (left) {
      case Long first when right instanceof Long second -> first + second;
      case Integer first when right instanceof Integer second -> first + second;
      case Double first when right instanceof Double second -> first + second;
      default ->
          throw new ClassCastException(
              "cannot add a " + left.getClass().getName() + " and a " + right.getClass().getName());
    };
  }

  @SuppressWarnings("unchecked") // A ClassCastException says it well.
  private static int compare(Object left, Object right) {
    return ((Comparable<Object>) left).compareTo(right);
  }
}
