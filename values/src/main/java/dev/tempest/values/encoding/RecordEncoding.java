package dev.tempest.values.encoding;

import dev.tempest.values.UnsupportedTypeException;
import dev.tempest.values.ValueFormat;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A record by its components, each under a tag made of its name: see {@link ValueType}. */
final class RecordEncoding<T> extends Encoding<T> {
  private static final int OBJECT_BYTES = 16;
  private static final int REFERENCE_BYTES = 8;

  private final String[] names;

  /** From the record, an Object, to the component, an Object. */
  private final MethodHandle[] getters;

  /** From an Object[] of the components to the record, an Object. */
  private final MethodHandle constructor;

  private final int[] tags;
  private final Encoding<Object>[] components;

  /**
   * The indexes of the components by rising tag: written so, they may change places in the code.
   */
  private final int[] written;

  private boolean linked;
  private boolean needsCopy;

  @SuppressWarnings({"unchecked", "rawtypes"}) // There are no arrays of generic types.
  RecordEncoding(Class<T> declared, String path) {
    super(declared, Kind.RECORD);
    RecordComponent[] declaredComponents = declared.getRecordComponents();
    int count = declaredComponents.length;
    this.names = new String[count];
    this.getters = new MethodHandle[count];
    this.tags = new int[count];
    this.components = new Encoding[count];
    this.written = new int[count];
    Class<?>[] types = new Class<?>[count];
    for (int i = 0; i < count; i++) {
      names[i] = declaredComponents[i].getName();
      types[i] = declaredComponents[i].getType();
      getters[i] = getter(declared, declaredComponents[i], path);
    }
    this.constructor = constructor(declared, types, path);
  }

  /** Finds what the components are: apart from the constructor as a record may contain itself. */
  @SuppressWarnings("unchecked") // Components are handled as Objects, whatever they are.
  void link(Resolver resolver, Map<TypeVariable<?>, Encoding<?>> variables, String path) {
    RecordComponent[] declaredComponents = declared().getRecordComponents();
    for (int i = 0; i < names.length; i++) {
      Encoding<?> component =
          resolver.resolve(
              declaredComponents[i].getGenericType(), variables, path + "." + names[i]);
      components[i] = (Encoding<Object>) component;
      needsCopy |= component.needsCopy();
      tags[i] = component.kind().tag(names[i]);
      place(i);
    }
    linked = true;
  }

  /** Puts component {@code index} among those before it, in the order of their tags. */
  private void place(int index) {
    int at = index;
    for (; at > 0 && Integer.compareUnsigned(tags[written[at - 1]], tags[index]) >= 0; at--) {
      if (tags[written[at - 1]] == tags[index]) {
        throw new UnsupportedTypeException(
            "%s: the names of the components %s and %s have the same hash: rename one"
                .formatted(declared().getName(), names[written[at - 1]], names[index]));
      }
      written[at] = written[at - 1];
    }
    written[at] = index;
  }

  @Override
  long mostBytes(T value, int depth) {
    if (depth >= ValueFormat.NESTING_MAX) {
      return LARGE_BYTES;
    }
    long bytes = 1;
    for (int i = 0; i < components.length && bytes < LARGE_BYTES; i++) {
      Object component = component(value, i);
      if (component != null) {
        bytes += Integer.BYTES + components[i].mostBytes(component, depth + 1);
      }
    }
    return bytes;
  }

  @Override
  void writeContents(T value, ByteWriter writer, int depth) {
    checkDepth(depth);
    int countIndex = writer.size();
    writer.writeByte(0);
    int count = 0;
    for (int i : written) {
      Object component = component(value, i);
      if (component != null) {
        writer.writeInt(tags[i]);
        components[i].writeContents(component, writer, depth + 1);
        count++;
      }
    }
    writer.overwriteByte(countIndex, count);
  }

  /**
   * As {@link #writeContents}, with the components that only other code knows of {@code earlier}.
   */
  void writeOver(ByteReader earlier, T value, ByteWriter writer, int depth) {
    checkDepth(depth);
    int countIndex = writer.size();
    writer.writeByte(0);
    int count = 0;
    int next = 0; // Among those written.
    int known = earlier.readByte();
    for (int i = 0; i < known; i++) {
      int tag = earlier.readInt();
      int start = earlier.position();
      Kind.skip(tag, earlier, depth + 1);
      ByteReader contents = earlier.between(start, earlier.position());
      for (; next < written.length && isBelow(next, tag); next++) {
        count += writeOver(null, value, written[next], writer, depth);
      }
      if (next < written.length && tags[written[next]] == tag) {
        count += writeOver(contents, value, written[next++], writer, depth);
      } else {
        writer.writeInt(tag);
        contents.readRaw(contents.remaining()).writeTo(writer);
        count++;
      }
    }
    for (; next < written.length; next++) {
      count += writeOver(null, value, written[next], writer, depth);
    }
    writer.overwriteByte(countIndex, count);
  }

  private boolean isBelow(int place, int tag) {
    return Integer.compareUnsigned(tags[written[place]], tag) < 0;
  }

  /** Writes one component; how many that were: none if it is null. */
  private int writeOver(
      @Nullable ByteReader earlier, T value, int index, ByteWriter writer, int depth) {
    Object component = component(value, index);
    if (component == null) {
      return 0;
    }
    writer.writeInt(tags[index]);
    Encoding<Object> encoding = components[index];
    if (earlier != null && encoding instanceof RecordEncoding<Object> composed) {
      composed.writeOver(earlier, component, writer, depth + 1);
    } else {
      encoding.writeContents(component, writer, depth + 1);
    }
    return 1;
  }

  @Override
  T readContents(ByteReader reader, int depth) {
    Kind.checkDepth(depth);
    reader.takeMemory(OBJECT_BYTES + REFERENCE_BYTES * components.length);
    @Nullable Object[] values = new Object[components.length];
    int count = reader.readByte();
    int next = 0; // Among those written.
    for (int i = 0; i < count; i++) {
      int tag = reader.readInt();
      int place = placeOf(tag, next);
      if (place < 0) {
        requireUnknown(tag);
        Kind.skip(tag, reader, depth + 1);
      } else {
        int index = written[place];
        values[index] = readComponent(index, values[index], reader, depth);
        next = place + 1;
      }
    }
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null && components[i].declared().isPrimitive()) {
        throw new MalformedException(
            describe(i)
                + " is missing or has another kind: a component that is added has to be of a"
                + " reference type, which can be null");
      }
    }
    try {
      return construct(values);
    } catch (Throwable refused) {
      throw new MalformedException(
          declared().getName() + " refuses its components: " + UserCode.describe(refused));
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // Equal is not enough: a copy shares nothing.
  T copy(T value, int depth) {
    if (!needsCopy) {
      return value;
    }
    checkDepth(depth);
    @Nullable Object[] copies = null;
    for (int i = 0; i < components.length; i++) {
      Object component = components[i].needsCopy() ? component(value, i) : null;
      Object copy = component == null ? null : components[i].copy(component, depth + 1);
      if (copy != component) {
        copies = copies == null ? components(value) : copies;
        copies[i] = copy;
      }
    }
    return copies == null ? value : construct(copies);
  }

  /** Component by component: the record's own {@code equals} does not decide. */
  @Override
  @SuppressWarnings("ReferenceEquality") // The same is equal, and soon found.
  public boolean isSame(T left, T right) {
    for (int i = 0; left != right && i < components.length; i++) {
      Object mine = component(left, i);
      Object other = component(right, i);
      if (mine != other && (mine == null || other == null || !components[i].isSame(mine, other))) {
        return false;
      }
    }
    return true;
  }

  @Override
  int hash(T value, int depth) {
    checkDepth(depth);
    long state = 0;
    for (int i : written) {
      Object component = component(value, i);
      if (component != null) {
        int hash = components[i].hash(component, depth + 1);
        state = StableHash.append(state, Kind.component(tags[i], hash));
      }
    }
    return StableHash.finish(state);
  }

  @Override
  List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < components.length; i++) {
      parts.add(new Part("." + names[i], components[i]));
    }
    return parts;
  }

  /** True also within a record that contains itself: its depth has to be checked. */
  @Override
  boolean needsCopy() {
    return needsCopy || !linked;
  }

  /** False for a copy that holds nothing mutable, whatever its components might hold. */
  @Override
  boolean needsCopy(T value) {
    for (int i = 0; needsCopy && i < components.length; i++) {
      Object component = components[i].needsCopy() ? component(value, i) : null;
      if (component != null && components[i].needsCopy(component)) {
        return true;
      }
    }
    return false;
  }

  /** A component that is of another kind by now would be null, and its old value gone. */
  private void requireUnknown(int tag) {
    for (int i = 0; i < names.length; i++) {
      if (Kind.isSameName(tag, tags[i])) {
        throw new MalformedException(
            describe(i) + " was written with another type: give one of another type another name");
      }
    }
  }

  private Object readComponent(int index, @Nullable Object earlier, ByteReader reader, int depth) {
    if (earlier != null) {
      throw new MalformedException(describe(index) + " occurs twice");
    }
    try {
      return components[index].readContents(reader, depth + 1);
    } catch (MalformedException malformed) {
      throw malformed.within(describe(index));
    }
  }

  /** The place of {@code tag} among those written: in most cases the one that is the next. */
  private int placeOf(int tag, int next) {
    if (next < written.length && tags[written[next]] == tag) {
      return next;
    }
    for (int i = 0; i < written.length; i++) {
      if (tags[written[i]] == tag) {
        return i;
      }
    }
    return -1;
  }

  private String describe(int index) {
    return "component " + names[index] + " of " + declared().getName();
  }

  private @Nullable Object[] components(T value) {
    @Nullable Object[] all = new Object[components.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = component(value, i);
    }
    return all;
  }

  private @Nullable Object component(T value, int index) {
    try {
      return (Object) getters[index].invokeExact((Object) value);
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

  /** Reads the field: an accessor of the user's may say something else, or fail. */
  private static MethodHandle getter(Class<?> declared, RecordComponent component, String path) {
    try {
      Field field = declared.getDeclaredField(component.getName());
      makeAccessible(field, declared, path);
      return MethodHandles.lookup()
          .unreflectGetter(field)
          .asType(MethodType.methodType(Object.class, Object.class));
    } catch (NoSuchFieldException | IllegalAccessException denied) {
      throw notAccessible(declared, path);
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
        "the fields of record %s (found at %s) are not accessible: open %s to %s"
            .formatted(
                declared.getName(),
                path,
                declared.getPackageName(),
                RecordEncoding.class.getModule().getName()));
  }
}
