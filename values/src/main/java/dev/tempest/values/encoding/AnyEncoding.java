package dev.tempest.values.encoding;

import dev.tempest.values.UnsupportedTypeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Values of several classes, each behind a tag that says which: see {@link ValueType#any}. Refuses
 * what is not declared, in code and in bytes; {@link AnyType} makes an {@link Opaque} of the
 * latter.
 */
final class AnyEncoding extends Encoding<Object> {
  /** Of arrays within arrays, whose class is found by its name. */
  private static final int DIMENSIONS_MAX = 8;

  private static final List<Class<?>> PRIMITIVES =
      List.of(
          boolean.class,
          byte.class,
          char.class,
          double.class,
          float.class,
          int.class,
          long.class,
          short.class);

  private final boolean hasBuiltIns;
  private final boolean isKey;

  /** Replaced as a whole when more is declared, which may be while values are written and read. */
  private volatile Map<String, Case> named = new LinkedHashMap<>();

  private final @Nullable Case[] byTag = new Case[ClassTag.FIRST_NAMED];

  /** What was found by now: replaced as a whole, too. Kept here, not by classes, which live on. */
  private volatile Map<Class<?>, Case> byClass = new LinkedHashMap<>();

  private AnyEncoding(boolean hasBuiltIns, boolean isKey) {
    super(Object.class, Kind.BINARY);
    this.hasBuiltIns = hasBuiltIns;
    this.isKey = isKey;
    for (int tag = 1; hasBuiltIns && tag < byTag.length; tag++) {
      Class<?> type = ClassTag.builtIn(tag);
      if (type != null) {
        byTag[tag] = new Case(new ClassTag(tag, null), builtIn(type));
      }
    }
  }

  /** Of the built-in classes, and those that are declared. */
  static AnyEncoding ofAll(boolean isKey) {
    return new AnyEncoding(true, isKey);
  }

  /** Of declared classes only. */
  static AnyEncoding ofFamily() {
    return new AnyEncoding(false, false);
  }

  @SuppressWarnings("unchecked") // Values are handled as Objects.
  private Encoding<Object> builtIn(Class<?> type) {
    Encoding<?> encoding = BuiltIns.find(type);
    return (Encoding<Object>)
        (encoding == null ? Containers.of(type, List.of(this, this)) : encoding);
  }

  boolean isKey() {
    return isKey;
  }

  /**
   * Adds classes to those that values may be of, in one thread at a time. Of two classes that have
   * one name, which come from two class loaders, the first one stays.
   */
  void declare(List<Encoding<?>> encodings) {
    Map<String, Case> more = new LinkedHashMap<>(named);
    for (Encoding<?> encoding : encodings) {
      more.putIfAbsent(encoding.declared().getName(), Case.named(encoding));
    }
    named = more;
  }

  /** The case of values of exactly this class. */
  Case caseOf(Class<?> type) {
    Case known = byClass.get(type);
    return known == null ? found(type) : known;
  }

  /** Whether values of exactly this class are known here. */
  boolean isCase(Class<?> type) {
    try {
      return caseOf(type) != null;
    } catch (UnsupportedTypeException refused) {
      return false;
    }
  }

  /** The case that bytes name, or null if it is not declared. */
  private @Nullable Case caseOf(ClassTag tag) {
    String name = tag.name();
    if (name == null) {
      return byTag[tag.number()];
    }
    Case found = named.get(name);
    if (found == null && tag.number() == ClassTag.ARRAY) {
      found = arrayOf(name);
    }
    boolean isFound = found != null && found.tag().equals(tag) && refusal(found) == null;
    return isFound ? found : null;
  }

  /** Whether some class that is declared here is in the order of a user's code. */
  boolean hasOrderOfUsers() {
    return named.values().stream().anyMatch(each -> each.encoding().isOrderedByUsers());
  }

  /** Whether values of some class that is known here are of {@code bound}. */
  boolean hasAny(Class<?> bound) {
    return Stream.concat(Arrays.stream(byTag).filter(Objects::nonNull), named.values().stream())
        .anyMatch(each -> bound.isAssignableFrom(each.encoding().declared()));
  }

  /** How values of a class without a size are read. */
  Encoding<Object> scalar(int tag) {
    Case found = byTag[tag];
    if (found == null) {
      throw new MalformedException("unknown value tag " + tag);
    }
    return found.encoding();
  }

  @Override
  List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    for (Case each : named.values()) {
      parts.add(new Part("", each.encoding()));
    }
    return parts;
  }

  @Override
  boolean isEqualByContents() {
    return isKey || !hasBuiltIns;
  }

  @Override
  boolean needsCopy() {
    return true;
  }

  @Override
  boolean needsCopy(Object value) {
    return caseOf(value.getClass()).encoding().needsCopy(value);
  }

  @Override
  Object copy(Object value, int depth) {
    return caseOf(value.getClass()).encoding().copy(value, depth);
  }

  @Override
  long mostBytes(Object value, int depth) {
    return caseOf(value.getClass()).mostBytes(value, depth);
  }

  @Override
  void writeContents(Object value, ByteWriter writer, int depth) {
    caseOf(value.getClass()).write(value, writer, depth);
  }

  @Override
  Object readContents(ByteReader reader, int depth) {
    ClassTag tag = ClassTag.read(reader);
    if (tag.number() < ClassTag.FIRST_SIZED) {
      return scalar(tag.number()).readContents(reader, depth);
    }
    Case found = caseOf(tag);
    if (found == null) {
      throw MalformedException.ofOtherCode(tag.className() + " is not declared here");
    }
    int start = reader.position();
    int size = reader.readVarint(reader.remaining());
    int bodyStart = reader.position();
    reader.skip(size);
    ByteReader contents =
        reader.between(tag.number() == ClassTag.RECORD ? bodyStart : start, reader.position());
    Object value = found.encoding().readContents(contents, depth);
    contents.expectEnd();
    return value;
  }

  @Override
  int hash(Object value, int depth) {
    return caseOf(value.getClass()).encoding().hash(value, depth);
  }

  @Override
  public int compareContents(Object left, Object right) {
    Case mine = caseOf(left.getClass());
    Case other = caseOf(right.getClass());
    int byClass = mine.tag().compareTo(other.tag());
    return byClass != 0 ? byClass : mine.encoding().compareContents(left, right);
  }

  /** Of two threads that look for two classes at a time one may look again. */
  private Case found(Class<?> type) {
    Case found = find(type);
    Map<Class<?>, Case> more = new LinkedHashMap<>(byClass);
    more.put(type, found);
    byClass = more;
    return found;
  }

  private Case find(Class<?> type) {
    Case found = findDeclared(type);
    if (found == null) {
      throw new UnsupportedTypeException(
          type.getTypeName()
              + " is not declared: name the class where the collection is declared, so that every"
              + " node knows what may be stored");
    }
    String refusal = refusal(found);
    if (refusal != null) {
      throw new UnsupportedTypeException(refusal);
    }
    return found;
  }

  private @Nullable Case findDeclared(Class<?> type) {
    for (Case each : byTag) {
      if (each != null && each.encoding().declared() == type) {
        return each;
      }
    }
    // A constant with a body is of a class of its own.
    Class<?> declared =
        Enum.class.isAssignableFrom(type) && !type.isEnum() ? type.getSuperclass() : type;
    Case found = named.get(declared.getName());
    if (found != null && found.encoding().declared() == declared) {
      return found;
    }
    if (type.isArray()) {
      return arrayOf(type);
    }
    return type.isRecord() ? null : findByInterface(type);
  }

  /** Lists of whatever class are lists, and so on. */
  private @Nullable Case findByInterface(Class<?> type) {
    for (Case each : byTag) {
      if (each != null) {
        Class<?> declared = each.encoding().declared();
        if ((declared == ZoneId.class || declared.isInterface())
            && declared.isAssignableFrom(type)) {
          return each;
        }
      }
    }
    return null;
  }

  /** Why values of a class that is declared are refused nevertheless. */
  private @Nullable String refusal(Case found) {
    String path = isKey ? ContentEquality.pathToArray(found.encoding()) : null;
    return path == null
        ? null
        : "%s cannot be a key or element: %s has no equality of contents; use a List, or a record without arrays"
            .formatted(
                found.encoding().declared().getTypeName(),
                found.encoding().declared().getSimpleName() + path);
  }

  private @Nullable Case arrayOf(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    boolean isKnown =
        hasBuiltIns
            && (element.isPrimitive()
                || BuiltIns.find(element) != null
                || named.containsKey(element.getName()));
    return isKnown ? Case.named(new Resolver().resolve(type, type.getSimpleName())) : null;
  }

  /** The array class of a name as {@link Class#getName} gives it, of elements that are declared. */
  private @Nullable Case arrayOf(String name) {
    int dimensions = name.lastIndexOf('[') + 1;
    if (dimensions < 1 || dimensions > DIMENSIONS_MAX) {
      return null;
    }
    Class<?> type = elementOf(name.substring(dimensions));
    for (int i = 0; type != null && i < dimensions; i++) {
      type = type.arrayType();
    }
    return type != null && type.getName().equals(name) ? arrayOf(type) : null;
  }

  private @Nullable Class<?> elementOf(String descriptor) {
    for (Class<?> primitive : PRIMITIVES) {
      if (primitive.descriptorString().equals(descriptor)) {
        return primitive;
      }
    }
    if (!descriptor.startsWith("L") || !descriptor.endsWith(";")) {
      return null;
    }
    String name = descriptor.substring(1, descriptor.length() - 1);
    Case element = named.get(name);
    return element == null ? BuiltIns.named(name) : element.encoding().declared();
  }
}
