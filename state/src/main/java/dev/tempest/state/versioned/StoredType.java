package dev.tempest.state.versioned;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.values.encoding.Opaque;
import dev.tempest.values.encoding.UserCode;
import dev.tempest.values.encoding.ValueType;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The type of what a collection holds: checks on the way in, copies on the way in and out, so that
 * what is stored cannot be changed from outside. Never null. Immutable and thread-safe.
 */
final class StoredType<T> {
  private final ValueType<T> type;
  private final Class<T> boxed;

  /** Classes declared besides. */
  private final Set<Class<?>> within;

  /** Whether values are never copied. */
  private final boolean isShared;

  private StoredType(ValueType<T> type, Set<Class<?>> within, boolean isShared) {
    this.type = type;
    this.boxed = boxed(type.declared());
    this.within = within;
    this.isShared = isShared;
  }

  static <T> StoredType<T> of(ValueType<T> type) {
    return new StoredType<>(type, Collections.emptySet(), type.isShared());
  }

  /** A type of which code may declare more classes some day: nodes agree on its bytes whatever. */
  static <T> StoredType<T> any(Class<T> bound, Class<?>... declared) {
    return of(ValueType.any(bound, declared), linked(Arrays.asList(declared)));
  }

  private static <T> StoredType<T> of(ValueType<T> type, Set<Class<?>> within) {
    return new StoredType<>(type, within, type.isShared());
  }

  private static Set<Class<?>> linked(Collection<Class<?>> classes) {
    return new LinkedHashSet<>(classes);
  }

  /** Whether all that {@code other} declares is declared here too. */
  boolean declares(StoredType<?> other) {
    boolean declaresBound =
        other.isUnbound() || boxed.equals(other.boxed) || within.contains(other.boxed);
    return declaresBound && within.containsAll(other.within);
  }

  /** Whether {@code later} can be declared after this: one class for both, or not said which. */
  boolean isCompatible(StoredType<?> later) {
    return boxed.equals(later.boxed)
        || later.isUnbound()
        || (isUnbound() && boxed.isAssignableFrom(later.boxed));
  }

  /** Whether {@code later} says which class, where this does not. */
  boolean isNarrowedBy(StoredType<?> later) {
    return isUnbound() && !later.isUnbound();
  }

  /** Whether values of any class may be stored: it is not said which. */
  boolean isUnbound() {
    return boxed == (Class<?>) Object.class || boxed == (Class<?>) Comparable.class;
  }

  /** With what {@code later} declares besides. What has this type knows these classes, too. */
  StoredType<T> and(StoredType<?> later) {
    if (declares(later)) {
      return this;
    }
    Set<Class<?>> all = linked(within);
    if (!later.isUnbound()) {
      all.add(later.boxed);
    }
    all.addAll(later.within);
    return of(sharing(this, boxed, all), all);
  }

  /** In place of {@code earlier}, which no code uses: of this class, with all that it declares. */
  StoredType<T> after(StoredType<T> earlier) {
    return boxed.equals(earlier.boxed)
        ? earlier.and(this)
        : of(sharing(earlier, boxed, within), within);
  }

  /** Whether {@link #after} that is more than that. */
  boolean isMoreThan(StoredType<?> earlier) {
    return !boxed.equals(earlier.boxed) || !earlier.declares(this);
  }

  /** Whether it declares the very same: what is read as the one is as if read as the other. */
  boolean isAlike(StoredType<?> other) {
    return boxed.equals(other.boxed) && within.equals(other.within);
  }

  /** Over values that are stored as {@code wider}: takes and gives only those of this class. */
  StoredType<T> showing(StoredType<?> wider) {
    return new StoredType<>(sharing(wider, boxed, within), within, false);
  }

  private static <T> ValueType<T> sharing(
      StoredType<?> other, Class<T> bound, Set<Class<?>> declared) {
    return ValueType.sharing(other.type, bound, declared.toArray(Class<?>[]::new));
  }

  /** As {@link #any} for keys. */
  static <T> StoredType<T> anyKeys(Class<T> bound, Class<?>... declared) {
    return of(ValueType.anyKey(bound, declared), linked(Arrays.asList(declared)));
  }

  boolean isShared() {
    return isShared;
  }

  boolean hasContentEquality() {
    return type.hasContentEquality();
  }

  ValueType<T> type() {
    return type;
  }

  /** What to store of a caller's value. */
  T in(T value) {
    Objects.requireNonNull(value, "null cannot be stored");
    if (!boxed.isInstance(value)) { // Possible through raw types only.
      throw new ClassCastException(
          "a " + value.getClass().getName() + " is not a " + boxed.getName());
    }
    return type.copy(value);
  }

  /**
   * What to give to a caller of a stored value.
   *
   * @throws UnreadableValueException if this code cannot read it
   */
  T out(T stored) {
    T value = type.copy(stored);
    if ((Object) value instanceof Opaque) { // Its class may have refused it only then.
      value = type.copy(read(reread(stored)));
    }
    if ((Object) value instanceof Opaque opaque) {
      throw new UnreadableValueException(
          "the stored %s cannot be read here: %s".formatted(opaque.className(), opaque.reason()));
    }
    if (!boxed.isInstance(value)) {
      throw new UnreadableValueException(
          "the stored %s cannot be read here: %s is declared. Other code of this process declares"
                  .formatted(value.getClass().getName(), boxed.getName())
              + " the collection without this class; declare it alike everywhere");
    }
    return value;
  }

  /** Whether {@link #out} gives it; its class may say otherwise only when it is asked. */
  boolean isReadable(T stored) {
    Object value = stored;
    if (value instanceof Opaque) {
      try {
        value = type.copy(stored);
      } catch (Throwable refused) {
        UserCode.rethrowIfFatal(refused);
        return false;
      }
    }
    return boxed.isInstance(value) && !(value instanceof Opaque);
  }

  /** Whether what is stored is of this class, as far as this code can tell yet. */
  boolean fits(Object stored) {
    return boxed.isInstance(stored) || stored instanceof Opaque || stored instanceof Unmerged;
  }

  /**
   * Whether what cannot be read was never stored as this type: not by other code either that has
   * more classes, components or constants.
   */
  boolean isOther(Opaque unreadable) {
    boolean isAbstract = Modifier.isAbstract(boxed.getModifiers()) && !boxed.isEnum();
    boolean isOne = !isUnbound() && !isAbstract;
    return !unreadable.isOfOtherCode()
        || (isOne && !unreadable.className().equals(boxed.getName()));
  }

  /** The value, or an {@link Opaque} if this code cannot read it. */
  T readable(T stored) {
    return (Object) stored instanceof Opaque ? type.copy(stored) : stored;
  }

  /** {@link ValueType#over}. */
  T over(T earlier, T value) {
    return type.over(earlier, value);
  }

  /** What was stored as another type, read as this one. */
  T adopt(T stored) {
    return boxed.isInstance(stored) && !((Object) stored instanceof Opaque)
        ? stored
        : read(reread(stored));
  }

  private ByteReader reread(T stored) {
    ByteWriter writer = new ByteWriter(Integer.MAX_VALUE);
    type.write(stored, writer);
    return writer.toBytes().reader();
  }

  /** {@code value} as this type for a look-up; null if it is of another one. */
  @SuppressWarnings("unchecked") // It is an instance of the boxed class.
  @Nullable T asQuery(Object value) {
    return value.getClass() == boxed || type.isInstance(value) ? (T) value : null;
  }

  /** True if both have the same contents. */
  boolean isSame(T left, T right) {
    return type.isSame(left, right);
  }

  /** {@link ValueType#mostBytes}. */
  long mostBytes(T value) {
    return type.mostBytes(value);
  }

  void write(T value, ByteWriter writer) {
    type.write(value, writer);
  }

  T read(ByteReader reader) {
    T value = type.read(reader);
    if (value == null) {
      throw new MalformedException("null where a " + boxed.getName() + " is stored");
    }
    return value;
  }

  /** Whether the order is the natural one of the class. */
  boolean isOrdered() {
    return type.isOrdered();
  }

  /** A total order, the same in every JVM: the natural one where there is one. */
  int compare(T left, T right) {
    return type.compare(left, right);
  }

  /** A total order that runs no code of users. */
  int compareContents(T left, T right) {
    return type.compareContents(left, right);
  }

  /** Whether {@link #compare} runs code of users, which may fail. */
  boolean isOrderedByUsers() {
    return type.isOrderedByUsers();
  }

  /** Throws what {@code compareTo} throws for a value that cannot be compared to itself. */
  @SuppressWarnings({"unchecked", "SelfComparison"}) // As a TreeMap does with its first key.
  void requireOrder(T value) {
    if (value instanceof Comparable<?> comparable) {
      ((Comparable<Object>) comparable).compareTo(value);
    }
  }

  int hash(T value) {
    return type.hash(value);
  }

  @Override
  public String toString() {
    return boxed.getName();
  }

  @SuppressWarnings("unchecked") // Integer.class is a Class<Integer> like int.class.
  private static <T> Class<T> boxed(Class<T> declared) {
    return (Class<T>) MethodType.methodType(declared).wrap().returnType();
  }
}
