package dev.tempest.service.execution;

import dev.tempest.service.Update;
import dev.tempest.values.TooLargeException;
import dev.tempest.values.UnsupportedTypeException;
import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.values.encoding.StableHash;
import dev.tempest.values.encoding.ValueType;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One method of a service interface: its number on the wire, and the bytes of its arguments and
 * result.
 *
 * <p>Arguments are written one after the other as their declared types say, see {@link ValueType}.
 * Immutable and thread-safe.
 */
public final class ServiceMethod {
  /** The most bytes that the arguments of one request, or its result, may have. */
  public static final int CONTENT_MAX_BYTES = 16 << 20;

  /** What arguments may take in memory by their size; a few may take more. */
  private static final long MEMORY_PER_BYTE = 64;

  private static final long MEMORY_OF_FEW_BYTES = 1 << 20;

  private static final @Nullable Object[] NO_ARGUMENTS = {};

  private final Method method;
  private final boolean update;
  private final boolean commutative;
  private final int number;
  private final Throws exceptions;
  private final List<Class<?>> parameterTypes;
  private final Class<?>[] boxedTypes;
  private final ValueType<Object>[] parameters;

  /** Null if the method returns nothing. */
  private final @Nullable ValueType<Object> result;

  @SuppressWarnings({"unchecked", "rawtypes"}) // There are no arrays of generic types.
  ServiceMethod(Method method, boolean update) {
    this.method = method;
    this.update = update;
    Update marked = method.getAnnotation(Update.class);
    this.commutative = marked != null && marked.commutative();
    this.exceptions = new Throws(method);
    this.parameterTypes = List.of(method.getParameterTypes());
    if (method.getTypeParameters().length > 0) {
      throw new UnsupportedTypeException(this + " is generic: declare it with concrete types");
    }
    Type[] declared = method.getGenericParameterTypes();
    this.parameters = new ValueType[declared.length];
    for (int i = 0; i < declared.length; i++) {
      parameters[i] = valueType(declared[i], "parameter " + (i + 1));
    }
    this.boxedTypes = MethodType.methodType(void.class, parameterTypes).wrap().parameterArray();
    this.result =
        method.getReturnType() == void.class
            ? null
            : valueType(method.getGenericReturnType(), "the result");
    this.number = StableHash.ofName(method.getName() + signature(Class::getName));
  }

  /** The name, which overloaded methods share. */
  public String name() {
    return method.getName();
  }

  /**
   * The number that stands for the method on the wire: a stable hash of its name and the names of
   * its parameters' types, as in {@link Class#getName}, and of nothing else.
   */
  public int number() {
    return number;
  }

  /** Whether it is an update, or a read. */
  public boolean isUpdate() {
    return update;
  }

  /** Whether it is an update that is declared to commute with every other. */
  public boolean isCommutative() {
    return commutative;
  }

  /** The declared types of the parameters, in order. */
  public List<Class<?>> parameterTypes() {
    return parameterTypes;
  }

  /** The declared type of the result; {@code void.class} if there is none. */
  public Class<?> resultType() {
    return method.getReturnType();
  }

  /** What it declares to throw. */
  public Throws exceptions() {
    return exceptions;
  }

  /** The declared types of the parameters with their type arguments, see {@link TypeNames}. */
  public List<String> parameterTypeNames() {
    return Stream.of(method.getGenericParameterTypes()).map(TypeNames::of).toList();
  }

  /** The declared type of the result likewise; {@code void} if there is none. */
  public String resultTypeName() {
    return TypeNames.of(method.getGenericReturnType());
  }

  /**
   * Writes the arguments of a call.
   *
   * @param arguments as {@link java.lang.reflect.InvocationHandler} gets them: null if there are
   *     none
   * @throws IllegalArgumentException if they do not fit the declared types
   * @throws TooLargeException if they exceed {@link #CONTENT_MAX_BYTES}
   */
  public Bytes encode(@Nullable Object @Nullable [] arguments) {
    @Nullable Object[] given = arguments == null ? NO_ARGUMENTS : arguments;
    if (given.length != parameters.length) {
      throw new IllegalArgumentException(
          this + " takes " + parameters.length + " arguments, not " + given.length);
    }
    if (given.length == 0) {
      return Bytes.EMPTY;
    }
    ByteWriter writer = new ByteWriter(CONTENT_MAX_BYTES);
    for (int i = 0; i < given.length; i++) {
      checkArgument(given[i], i);
      try {
        parameters[i].write(given[i], writer);
      } catch (TooLargeException tooLarge) {
        throw tooLarge("the arguments", tooLarge);
      }
    }
    return writer.toBytes();
  }

  /**
   * Reads the arguments of a call.
   *
   * @throws MalformedException if the bytes are not the arguments of this method
   */
  public @Nullable Object[] decode(Bytes arguments) {
    if (parameters.length == 0 && arguments.size() == 0) {
      return NO_ARGUMENTS;
    }
    ByteReader reader = arguments.reader();
    reader.limitMemory(MEMORY_PER_BYTE * arguments.size() + MEMORY_OF_FEW_BYTES);
    @Nullable Object[] decoded = new Object[parameters.length];
    try {
      for (int i = 0; i < decoded.length; i++) {
        decoded[i] = parameters[i].read(reader);
      }
    } catch (OutOfMemoryError tooMuch) {
      throw new MalformedException("they take more memory than there is: " + tooMuch.getMessage());
    }
    reader.expectEnd();
    return decoded;
  }

  /**
   * Writes a result; null is all that a method without one returns.
   *
   * @throws TooLargeException if it exceeds {@link #CONTENT_MAX_BYTES}
   */
  public Bytes encodeResult(@Nullable Object value) {
    if (result == null) {
      return Bytes.EMPTY;
    }
    ByteWriter writer = new ByteWriter(CONTENT_MAX_BYTES);
    try {
      result.write(value, writer);
    } catch (TooLargeException tooLarge) {
      throw tooLarge("the result", tooLarge);
    }
    return writer.toBytes();
  }

  private TooLargeException tooLarge(String what, TooLargeException tooLarge) {
    return new TooLargeException(
        "%s of %s: %s. Divide it into several calls".formatted(what, this, tooLarge.getMessage()));
  }

  /**
   * Reads a result; null if the method has none.
   *
   * @throws MalformedException if the bytes are no result of this method
   */
  public @Nullable Object decodeResult(Bytes bytes) {
    ByteReader reader = bytes.reader();
    Object value = result == null ? null : result.read(reader);
    reader.expectEnd();
    return value;
  }

  /** As in {@code ShoppingCart.add(String, String, int)}. */
  @Override
  public String toString() {
    return method.getDeclaringClass().getSimpleName()
        + "."
        + method.getName()
        + signature(Class::getSimpleName);
  }

  Method method() {
    return method;
  }

  private String signature(Function<Class<?>, String> name) {
    Stream<String> names = parameterTypes.stream().map(name);
    return names.collect(Collectors.joining(", ", "(", ")"));
  }

  @SuppressWarnings("unchecked") // Values are handled as Objects; checkArgument looks at them.
  private ValueType<Object> valueType(Type declared, String where) {
    try {
      return (ValueType<Object>) ValueType.of(declared);
    } catch (UnsupportedTypeException unsupported) {
      throw new UnsupportedTypeException(this + ", " + where + ": " + unsupported.getMessage());
    }
  }

  private void checkArgument(@Nullable Object argument, int index) {
    Class<?> declared = parameterTypes.get(index);
    boolean fits =
        argument == null ? !declared.isPrimitive() : boxedTypes[index].isInstance(argument);
    if (!fits) {
      throw new IllegalArgumentException(
          "%s: argument %d is %s where %s is declared"
              .formatted(
                  this,
                  index + 1,
                  argument == null ? "null" : "a " + argument.getClass().getName(),
                  declared.getTypeName()));
    }
  }
}
