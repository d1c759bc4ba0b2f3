package dev.tempest.values.encoding;

import dev.tempest.values.UnsupportedTypeException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The type of values of several classes: see {@link ValueType#any}. */
final class AnyType<T> implements ValueType<T> {
  private final Class<T> bound;
  private final AnyEncoding cases;
  private final boolean hasContentEquality;
  private final boolean isShared;
  private final boolean hasEqualityOfTheJdk;
  private final boolean isOrderedByUsers;

  /** Of {@code only} one class, if it is known. */
  private AnyType(Class<T> bound, AnyEncoding cases, @Nullable Encoding<?> only) {
    this.bound = bound;
    this.cases = cases;
    this.hasContentEquality = only == null ? cases.isKey() : only.hasContentEquality();
    this.isShared = only != null && only.isShared();
    this.hasEqualityOfTheJdk = only != null && only.hasEqualityOfTheJdk();
    this.isOrderedByUsers = only == null ? cases.hasOrderOfUsers() : only.isOrderedByUsers();
  }

  static <T> AnyType<T> of(Class<T> bound, Class<?>[] declared, boolean isKey) {
    return of(bound, declared, AnyEncoding.ofAll(isKey));
  }

  /** As {@link ValueType#sharing}. */
  static <T> AnyType<T> sharing(AnyType<?> other, Class<T> bound, Class<?>[] declared) {
    return of(bound, declared, other.cases);
  }

  @SuppressWarnings("unchecked") // Integer.class is a Class<Integer> like int.class.
  private static <T> AnyType<T> of(Class<T> bound, Class<?>[] declared, AnyEncoding cases) {
    Class<T> boxed = (Class<T>) MethodType.methodType(bound).wrap().returnType();
    Resolver resolver = new Resolver();
    List<Encoding<?>> found = new ArrayList<>();
    if (canBeDeclared(boxed)) {
      find(boxed, resolver, found);
    }
    for (Class<?> each : declared) {
      if (!Containers.ALL.contains(each)) {
        find(each, resolver, found);
      }
    }
    found.addAll(resolver.named());
    cases.declare(found);
    if (!cases.hasAny(boxed)) {
      throw new UnsupportedTypeException(nothingOf(boxed));
    }
    // To look it up also refuses what is no key.
    return new AnyType<>(boxed, cases, isOne(boxed) ? cases.caseOf(boxed).encoding() : null);
  }

  private static String nothingOf(Class<?> bound) {
    String instead = Resolver.insteadOf(bound);
    return instead == null
        ? "%s is %s: add the classes that %s it at the end of the declaration"
            .formatted(
                bound.getTypeName(),
                bound.isInterface() ? "an interface" : "abstract",
                bound.isInterface() ? "implement" : "extend")
        : "%s cannot be a value: declare %s".formatted(bound.getTypeName(), instead);
  }

  private static void find(Class<?> declared, Resolver resolver, List<Encoding<?>> found) {
    if (declared.isRecord() && declared.getTypeParameters().length > 0) {
      throw Resolver.generic(declared, declared.getSimpleName());
    }
    Encoding<?> encoding = resolver.resolve(declared, declared.getSimpleName());
    if (declared.isArray()) { // Others are named by the resolver, with all that is within.
      found.add(encoding);
    }
  }

  /** Whether all values are of the class itself. */
  private static boolean isOne(Class<?> bound) {
    return bound.isEnum()
        || bound.isArray()
        || !(Modifier.isAbstract(bound.getModifiers())
            || bound == Object.class
            || Containers.ALL.contains(bound));
  }

  /** Interfaces and abstract classes only bound what is declared, unless they are sealed. */
  private static boolean canBeDeclared(Class<?> bound) {
    boolean isAbstract = Modifier.isAbstract(bound.getModifiers()) && !isOne(bound);
    boolean isOpen = bound == Object.class || (isAbstract && !Resolver.isFamily(bound));
    return !isOpen && !Containers.ALL.contains(bound);
  }

  @Override
  public Class<T> declared() {
    return bound;
  }

  @Override
  public boolean hasContentEquality() {
    return hasContentEquality;
  }

  @Override
  public boolean isShared() {
    return isShared;
  }

  @Override
  public boolean isOrdered() {
    return Comparable.class.isAssignableFrom(bound);
  }

  @Override
  public boolean isOrderedByUsers() {
    return isOrderedByUsers;
  }

  @Override
  public boolean isInstance(Object value) {
    if (!bound.isInstance(value)) {
      return false;
    }
    return value instanceof String || value instanceof Integer || cases.isCase(value.getClass());
  }

  @Override
  public void write(@Nullable T value, ByteWriter writer) {
    if (value == null) {
      writer.writeByte(ClassTag.NULL);
    } else if (value instanceof Opaque opaque) {
      opaque.write(writer);
    } else {
      cases.writeContents(value, writer, 0);
    }
  }

  @Override
  public long mostBytes(T value) {
    if (value instanceof String text) {
      return Math.min(Encoding.mostTextBytes(text), LARGE_BYTES);
    }
    if (value instanceof Integer || value instanceof Long) {
      return Encoding.NUMBER_BYTES;
    }
    return value instanceof Opaque ? LARGE_BYTES : Math.min(cases.mostBytes(value, 0), LARGE_BYTES);
  }

  @Override
  @SuppressWarnings("unchecked") // Documented: an Opaque stands for a T that cannot be read.
  public @Nullable T read(ByteReader reader) {
    int start = reader.position();
    int tag = reader.readByte();
    if (tag == ClassTag.NULL) {
      return null;
    }
    if (tag >= ClassTag.FIRST_SIZED) {
      return (T) readSized(tag, start, reader);
    }
    Object value = cases.scalar(tag).readContents(reader, 0);
    return (T) (bound.isInstance(value) ? value : outOfBound(reader.bytesSince(start), value));
  }

  /** Passes over the value first: whatever it is, the next one can be read. */
  private Object readSized(int tag, int start, ByteReader reader) {
    if (tag >= ClassTag.FIRST_NAMED) {
      reader.readString();
    }
    reader.skip(reader.readVarint(reader.remaining()));
    ByteReader encoded = reader.between(start, reader.position());
    try {
      Object value = cases.readContents(encoded, 0);
      if (!bound.isInstance(value)) {
        return outOfBound(reader.bytesSince(start), value);
      }
      ByteWriter again = new ByteWriter(Integer.MAX_VALUE);
      cases.writeContents(value, again, 0);
      return reader.isSince(start, again)
          ? value
          : Opaque.readable(reader.bytesSince(start), value);
    } catch (MalformedException refused) {
      return Opaque.unreadable(reader.bytesSince(start), refused);
    } catch (Throwable thrown) { // By code of the user's class, its hashCode for example.
      return Opaque.unreadable(
          reader.bytesSince(start),
          new MalformedException("its class refuses it: " + UserCode.describe(thrown)));
    }
  }

  @Override
  @SuppressWarnings("unchecked") // As in read.
  public T over(T earlier, T value) {
    if (!(earlier instanceof Opaque opaque) || opaque.value() == null || value instanceof Opaque) {
      return value;
    }
    ByteWriter plain = new ByteWriter(Integer.MAX_VALUE);
    write(value, plain);
    ByteWriter carrying = new ByteWriter(Integer.MAX_VALUE);
    cases.caseOf(value.getClass()).writeOver(opaque.reader(), value, carrying);
    Bytes encoded = carrying.toBytes();
    return encoded.equals(plain.toBytes()) ? value : (T) Opaque.readable(encoded, value);
  }

  private Opaque outOfBound(Bytes encoded, Object value) {
    return Opaque.unreadable(
        encoded,
        new MalformedException(
            "a %s where %s is declared".formatted(value.getClass().getName(), bound.getName())));
  }

  @Override
  @SuppressWarnings("unchecked") // A copy is of the class that the value is of.
  public T copy(T value) {
    if (value instanceof String || value instanceof Integer || value instanceof Long) {
      return value;
    }
    if (value instanceof Opaque opaque) {
      Object readable = opaque.value();
      return readable == null ? value : copy((T) readable);
    }
    return (T) cases.copy(value, 0);
  }

  @Override
  public int hash(T value) {
    if (value instanceof String text) {
      return StableHash.of(text);
    }
    if (value instanceof Integer number) {
      return StableHash.of(number);
    }
    if (value instanceof Long number) {
      return StableHash.of(number);
    }
    return value instanceof Opaque ? value.hashCode() : cases.hash(value, 0);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // The same is equal, and soon found.
  public boolean isSame(T left, T right) {
    if (left == right || hasEqualityOfTheJdk || left instanceof String) {
      return left.equals(right);
    }
    if (left.getClass() == right.getClass() && !(left instanceof Opaque)) {
      return cases.caseOf(left.getClass()).encoding().isSame(left, right);
    }
    Object mine = readable(left);
    Object other = readable(right);
    if (mine instanceof Opaque || other instanceof Opaque) {
      return mine.equals(other);
    }
    Case itsCase = cases.caseOf(mine.getClass());
    return itsCase.tag().equals(cases.caseOf(other.getClass()).tag())
        && itsCase.encoding().isSame(mine, other);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // To tell whether a value stood in an Opaque.
  public int compare(T left, T right) {
    if (left instanceof String mine && right instanceof String other) {
      return mine.compareTo(other);
    }
    Object mine = readable(left);
    Object other = readable(right);
    int byClass = tagOf(mine).compareTo(tagOf(other));
    if (byClass != 0) {
      return byClass;
    }
    if (mine instanceof Opaque || other instanceof Opaque) {
      // What cannot be read has no place among what can: it comes after all of its class.
      int byReadable = Boolean.compare(mine instanceof Opaque, other instanceof Opaque);
      return byReadable != 0 ? byReadable : EncodedOrder.compare(this, left, right);
    }
    int byValue = cases.caseOf(mine.getClass()).encoding().compare(mine, other);
    boolean isByValue = left == mine && right == other;
    return byValue != 0 || isByValue ? byValue : EncodedOrder.compare(this, left, right);
  }

  /** By the bytes, but for scalars, which most keys are. */
  @Override
  public int compareContents(T left, T right) {
    if (left instanceof String mine && right instanceof String other) {
      return mine.compareTo(other);
    }
    if (left instanceof Integer mine && right instanceof Integer other) {
      return mine.compareTo(other);
    }
    if (left instanceof Long mine && right instanceof Long other) {
      return mine.compareTo(other);
    }
    return EncodedOrder.compare(this, left, right);
  }

  @Override
  public String toString() {
    return "ValueType[any " + bound.getTypeName() + "]";
  }

  private static Object readable(Object value) {
    Object readable = value instanceof Opaque opaque ? opaque.value() : null;
    return readable == null ? value : readable;
  }

  private ClassTag tagOf(Object value) {
    return value instanceof Opaque opaque ? opaque.tag() : cases.caseOf(value.getClass()).tag();
  }
}
