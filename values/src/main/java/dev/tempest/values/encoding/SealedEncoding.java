package dev.tempest.values.encoding;

import java.util.ArrayList;
import java.util.List;

/** A component declared as a sealed family: one of its members, behind the tag that says which. */
final class SealedEncoding<T> extends SizedEncoding<T> {
  private final AnyEncoding members;

  SealedEncoding(Class<T> declared) {
    super(declared);
    this.members = AnyEncoding.ofFamily();
  }

  /** Finds the members: apart from the constructor as they may contain the family. */
  void link(Resolver resolver, String path) {
    List<Encoding<?>> found = new ArrayList<>();
    find(declared(), resolver, path, found);
    members.declare(found);
  }

  private static void find(
      Class<?> permitting, Resolver resolver, String path, List<Encoding<?>> found) {
    for (Class<?> permitted : permitting.getPermittedSubclasses()) {
      if (Resolver.isFamily(permitted)) {
        find(permitted, resolver, path, found);
      } else {
        found.add(resolver.resolve(permitted, path + "(" + permitted.getSimpleName() + ")"));
      }
    }
  }

  @Override
  List<Part> parts() {
    return List.of(new Part("", members));
  }

  @Override
  boolean needsCopy() {
    return true;
  }

  @Override
  boolean needsCopy(T value) {
    return members.needsCopy(value);
  }

  @Override
  @SuppressWarnings("unchecked") // A copy is of the class that the value is of.
  T copy(T value, int depth) {
    return (T) members.copy(value, depth);
  }

  @Override
  long mostBodyBytes(T value, int depth) {
    return members.mostBytes(value, depth);
  }

  @Override
  void writeBody(T value, ByteWriter writer, int depth) {
    members.writeContents(value, writer, depth);
  }

  @Override
  T readBody(ByteReader reader, int depth) {
    return declared().cast(members.readContents(reader, depth));
  }
}
