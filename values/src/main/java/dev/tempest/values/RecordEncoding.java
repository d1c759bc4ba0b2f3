package dev.tempest.values;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;

/** A record by its components, each under a tag made of its name: see {@link ValueType}. */
final class RecordEncoding<T> extends Encoding<T> {
  private final String[] names;

  /** From the record, an Object, to the component, an Object. */
  private final MethodHandle[] accessors;

  /** From an Object[] of the components to the record, an Object. */
  private final MethodHandle constructor;

  private final int[] tags;
  private final Encoding<Object>[] components;
  private boolean linked;
  private boolean needsCopy;
  private boolean hasContentEquality = true;

  @SuppressWarnings({"unchecked", "rawtypes"}) // There are no arrays of generic types.
  RecordEncoding(Class<T> declared, String path) {
    super(declared, Kind.RECORD);
    RecordComponent[] declaredComponents = declared.getRecordComponents();
    int count = declaredComponents.length;
    this.names = new String[count];
    this.accessors = new MethodHandle[count];
    this.tags = new int[count];
    this.components = new Encoding[count];
    Class<?>[] types = new Class<?>[count];
    for (int i = 0; i < count; i++) {
      names[i] = declaredComponents[i].getName();
      types[i] = declaredComponents[i].getType();
      accessors[i] = accessor(declaredComponents[i].getAccessor(), path);
    }
    this.constructor = constructor(declared, types, path);
  }

  /** Finds what the components are: apart from the constructor as a record may contain itself. */
  @SuppressWarnings("unchecked") // Components are handled as Objects, whatever they are.
  void link(Resolver resolver, String path) {
    RecordComponent[] declaredComponents = declared().getRecordComponents();
    for (int i = 0; i < names.length; i++) {
      Encoding<?> component =
          resolver.resolve(declaredComponents[i].getType(), path + "." + names[i]);
      components[i] = (Encoding<Object>) component;
      needsCopy |= component.needsCopy();
      hasContentEquality &= component.hasContentEquality();
      tags[i] = component.kind().tag(names[i]);
      for (int j = 0; j < i; j++) {
        if (tags[j] == tags[i]) {
          throw new UnsupportedTypeException(
              "%s: the names of the components %s and %s have the same hash: rename one"
                  .formatted(declared().getName(), names[j], names[i]));
        }
      }
    }
    linked = true;
  }

  @Override
  void writeContents(T value, ByteWriter writer, int depth) {
    checkDepth(depth);
    int countIndex = writer.size();
    writer.writeByte(0);
    int count = 0;
    for (int i = 0; i < components.length; i++) {
      Object component = component(value, i);
      if (component != null) {
        writer.writeInt(tags[i]);
        components[i].writeContents(component, writer, depth + 1);
        count++;
      }
    }
    writer.overwriteByte(countIndex, count);
  }

  @Override
  T readContents(ByteReader reader, int depth) {
    if (depth >= NESTING_MAX) {
      throw new MalformedException("records nested deeper than " + NESTING_MAX);
    }
    @Nullable Object[] values = new Object[components.length];
    int count = reader.readByte();
    int next = 0;
    for (int i = 0; i < count; i++) {
      int tag = reader.readInt();
      int index = indexOf(tag, next);
      if (index < 0) {
        Kind.skip(tag, reader, depth + 1);
      } else {
        values[index] = readComponent(index, values[index], reader, depth);
        next = index + 1;
      }
    }
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null && components[i].declared().isPrimitive()) {
        throw new MalformedException(describe(i) + " is missing, or was of another kind");
      }
    }
    try {
      return construct(values);
    } catch (RuntimeException refused) {
      throw new MalformedException(declared().getName() + " refuses its components: " + refused);
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // Equal is not enough: a copy shares nothing.
  T copy(T value, int depth) {
    if (!needsCopy) {
      return value;
    }
    checkDepth(depth);
    @Nullable Object[] copies = new Object[components.length];
    boolean changed = false;
    for (int i = 0; i < copies.length; i++) {
      Object component = component(value, i);
      copies[i] = component == null ? null : components[i].copy(component, depth + 1);
      changed |= copies[i] != component;
    }
    return changed ? construct(copies) : value;
  }

  @Override
  int hash(T value, int depth) {
    checkDepth(depth);
    long state = components.length;
    for (int i = 0; i < components.length; i++) {
      Object component = component(value, i);
      state =
          StableHash.append(
              state, component == null ? 0 : components[i].hash(component, depth + 1));
    }
    return StableHash.finish(state);
  }

  /** True also within a record that contains itself: its depth has to be checked. */
  @Override
  boolean needsCopy() {
    return needsCopy || !linked;
  }

  @Override
  public boolean hasContentEquality() {
    return hasContentEquality;
  }

  private Object readComponent(int index, @Nullable Object earlier, ByteReader reader, int depth) {
    if (earlier != null) {
      throw new MalformedException(describe(index) + " comes twice");
    }
    try {
      return components[index].readContents(reader, depth + 1);
    } catch (MalformedException malformed) {
      throw new MalformedException(describe(index) + ": " + malformed.getMessage());
    }
  }

  /** The component of {@code tag}: in most cases the one that is the next. */
  private int indexOf(int tag, int next) {
    if (next < tags.length && tags[next] == tag) {
      return next;
    }
    for (int i = 0; i < tags.length; i++) {
      if (tags[i] == tag) {
        return i;
      }
    }
    return -1;
  }

  private String describe(int index) {
    return "component " + names[index] + " of " + declared().getName();
  }

  private void checkDepth(int depth) {
    if (depth >= NESTING_MAX) {
      throw new TooLargeException(declared());
    }
  }

  private @Nullable Object component(T value, int index) {
    try {
      return (Object) accessors[index].invokeExact((Object) value);
    } catch (RuntimeException | Error thrown) {
      throw thrown;
    } catch (Throwable checked) {
      throw new IllegalStateException(describe(index) + " cannot be read", checked);
    }
  }

  @SuppressWarnings("unchecked") // The constructor is the declared class's.
  private T construct(@Nullable Object[] values) {
    try {
      return (T) (Object) constructor.invokeExact(values);
    } catch (RuntimeException | Error thrown) {
      throw thrown;
    } catch (Throwable checked) {
      throw new IllegalStateException(declared().getName() + " cannot be constructed", checked);
    }
  }

  private static MethodHandle accessor(Method accessor, String path) {
    makeAccessible(accessor, accessor.getDeclaringClass(), path);
    try {
      return MethodHandles.lookup()
          .unreflect(accessor)
          .asType(MethodType.methodType(Object.class, Object.class));
    } catch (IllegalAccessException denied) {
      throw notAccessible(accessor.getDeclaringClass(), path);
    }
  }

  private static MethodHandle constructor(Class<?> declared, Class<?>[] types, String path) {
    try {
      Constructor<?> constructor = declared.getDeclaredConstructor(types);
      makeAccessible(constructor, declared, path);
      return MethodHandles.lookup()
          .unreflectConstructor(constructor)
          .asSpreader(Object[].class, types.length)
          .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (NoSuchMethodException | IllegalAccessException denied) {
      throw notAccessible(declared, path);
    }
  }

  private static void makeAccessible(AccessibleObject member, Class<?> declared, String path) {
    if (!member.trySetAccessible()) {
      throw notAccessible(declared, path);
    }
  }

  private static UnsupportedTypeException notAccessible(Class<?> declared, String path) {
    return new UnsupportedTypeException(
        "record %s (found at %s) is not accessible: make it public in an exported package, or open %s to %s"
            .formatted(
                declared.getName(),
                path,
                declared.getPackageName(),
                RecordEncoding.class.getModule().getName()));
  }
}
