package dev.tempest.values.encoding;

import dev.tempest.values.UnsupportedTypeException;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the encodings of one declared type and of all that it is made of. */
final class Resolver {
  /** How deep a type may be made of others: a generic record may contain ever larger ones. */
  private static final int DEPTH_MAX = 100;

  /** Those begun, not all finished: a record may contain itself. */
  private final LinkedHashMap<Key, Encoding<?>> found = new LinkedHashMap<>();

  private int depth;

  /** A class with what its type parameters stand for. */
  private record Key(Class<?> raw, List<Encoding<?>> arguments) {}

  /**
   * The encoding of a class.
   *
   * @param path where it was found, for errors: {@code Order.customer.name}
   */
  Encoding<?> resolve(Class<?> declared, String path) {
    return resolve(declared, new LinkedHashMap<>(), path);
  }

  /** Whether the members of {@code declared} are known by its own declaration. */
  static boolean isFamily(Class<?> declared) {
    return declared.isSealed()
        && Modifier.isAbstract(declared.getModifiers())
        && !declared.isEnum();
  }

  /** All enums, records and foreign classes that were found, without those that are generic. */
  List<Encoding<?>> named() {
    List<Encoding<?>> named = new ArrayList<>();
    for (Encoding<?> encoding : found.values()) {
      boolean isGeneric = encoding.declared().getTypeParameters().length > 0;
      boolean isNamed =
          encoding instanceof EnumEncoding
              || encoding instanceof RecordEncoding
              || encoding instanceof ForeignEncoding;
      if (isNamed && !isGeneric) {
        named.add(encoding);
      }
    }
    return named;
  }

  /** The encoding of a type in which {@code variables} stand for other types. */
  Encoding<?> resolve(Type declared, Map<TypeVariable<?>, Encoding<?>> variables, String path) {
    if (++depth > DEPTH_MAX) {
      throw new UnsupportedTypeException(path + " nests types without end");
    }
    Encoding<?> resolved =
        switch (declared) {
          case Class<?> plain -> resolveClass(plain, List.of(), path);
          case ParameterizedType generic -> resolveGeneric(generic, variables, path);
          case GenericArrayType array ->
              array(resolve(array.getGenericComponentType(), variables, path + "[]"));
          case WildcardType wildcard -> resolve(wildcard.getUpperBounds()[0], variables, path);
          default -> resolveVariable(declared, variables, path);
        };
    depth--;
    return resolved;
  }

  private static Encoding<?> resolveVariable(
      Type declared, Map<TypeVariable<?>, Encoding<?>> variables, String path) {
    Encoding<?> argument = declared instanceof TypeVariable<?> it ? variables.get(it) : null;
    if (argument == null) {
      throw declared instanceof TypeVariable<?> parameter
              && parameter.getGenericDeclaration() instanceof Class<?> owner
              && owner.isRecord()
          ? generic(owner, path)
          : new UnsupportedTypeException(
              "%s may be any class (found at %s): declare which one"
                  .formatted(declared.getTypeName(), path));
    }
    return argument;
  }

  /** Refuses a record with type parameters where nothing says what they stand for. */
  static UnsupportedTypeException generic(Class<?> declared, String path) {
    return new UnsupportedTypeException(
        "%s is a generic record (found at %s), and its class does not say of what: declare a record"
                .formatted(declared.getTypeName(), path)
            + " without type parameters that has this one, with type arguments, as a component");
  }

  private Encoding<?> resolveGeneric(
      ParameterizedType declared, Map<TypeVariable<?>, Encoding<?>> variables, String path) {
    Class<?> raw = (Class<?>) declared.getRawType();
    List<Encoding<?>> arguments = new ArrayList<>();
    if (raw.isRecord() || Containers.ALL.contains(raw)) {
      for (Type argument : declared.getActualTypeArguments()) {
        arguments.add(resolve(argument, variables, path + "<" + argument.getTypeName() + ">"));
      }
    }
    return resolveClass(raw, List.copyOf(arguments), path);
  }

  private Encoding<?> resolveClass(Class<?> declared, List<Encoding<?>> arguments, String path) {
    Encoding<?> builtIn = BuiltIns.find(declared);
    if (builtIn != null) {
      return builtIn;
    }
    Key key = new Key(declared, arguments);
    Encoding<?> begun = found.get(key);
    if (begun != null) {
      return begun;
    }
    if (declared.isRecord()) {
      return resolveRecord(key, path);
    }
    if (isFamily(declared)) {
      SealedEncoding<?> family = new SealedEncoding<>(declared);
      found.put(key, family);
      family.link(this, path);
      return family;
    }
    Encoding<?> encoding = create(key, path);
    found.put(key, encoding);
    return encoding;
  }

  private Encoding<?> resolveRecord(Key key, String path) {
    RecordEncoding<?> encoding = new RecordEncoding<>(key.raw, path);
    found.put(key, encoding);
    TypeVariable<?>[] parameters = key.raw.getTypeParameters();
    Map<TypeVariable<?>, Encoding<?>> variables = new LinkedHashMap<>();
    for (int i = 0; i < key.arguments.size(); i++) {
      variables.put(parameters[i], key.arguments.get(i));
    }
    encoding.link(this, variables, path);
    return encoding;
  }

  private Encoding<?> create(Key key, String path) {
    Class<?> declared = key.raw;
    if (declared.isEnum()) {
      return new EnumEncoding<>(declared);
    }
    if (declared.isArray()) {
      return array(resolve(declared.getComponentType(), new LinkedHashMap<>(), path + "[]"));
    }
    if (Containers.ALL.contains(declared)) {
      if (key.arguments.isEmpty()) {
        throw new UnsupportedTypeException(
            "%s (found at %s) has no type arguments: declare them"
                .formatted(declared.getTypeName(), path));
      }
      return Containers.of(declared, key.arguments);
    }
    return foreign(declared, path);
  }

  private static Encoding<?> array(Encoding<?> element) {
    return new ArrayEncoding(element);
  }

  private static Encoding<?> foreign(Class<?> declared, String path) {
    boolean canBe =
        !declared.isPrimitive()
            && !declared.isInterface()
            && !Modifier.isAbstract(declared.getModifiers())
            && !declared.isAnonymousClass();
    Encoding<?> foreign = canBe ? ForeignEncoding.find(declared) : null;
    if (foreign == null) {
      throw new UnsupportedTypeException(
          "%s cannot be a value (found at %s): %s"
              .formatted(declared.getTypeName(), path, advice(declared)));
    }
    return foreign;
  }

  private static String advice(Class<?> declared) {
    String instead = insteadOf(declared);
    if (instead != null) {
      return "declare " + instead;
    }
    String plain =
        "declare a primitive, a boxed primitive, String, byte[], another built-in class, an enum,"
            + " or a record of these";
    boolean canHaveFormat =
        !declared.isInterface()
            && !declared.getName().startsWith("java.")
            && !declared.isPrimitive();
    return canHaveFormat ? plain + "; or add tempest-cbor, which writes other classes" : plain;
  }

  /** What to declare in place of a class that is a kind of container; null if it is none. */
  static @Nullable String insteadOf(Class<?> declared) {
    for (Class<?> container : Containers.ALL) {
      if (container.isAssignableFrom(declared)) {
        return "java.util." + container.getSimpleName() + ", whose copies cannot be changed";
      }
    }
    return null;
  }
}
