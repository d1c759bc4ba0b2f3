package dev.tempest.values.encoding;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The classes that need no declaration: all of these are in every JVM. */
final class BuiltIns {
  private static final List<Encoding<?>> ALL = all();

  private BuiltIns() {}

  /** The encoding of {@code declared}, or null if it is none of these. */
  static @Nullable Encoding<?> find(Class<?> declared) {
    for (Encoding<?> encoding : ALL) {
      if (encoding.declared() == declared) {
        return encoding;
      }
    }
    return null;
  }

  /** The class of a name, or null if it is none of these; nothing is loaded. */
  static @Nullable Class<?> named(String name) {
    for (Encoding<?> encoding : ALL) {
      if (encoding.declared().getName().equals(name)) {
        return encoding.declared();
      }
    }
    return null;
  }

  private static List<Encoding<?>> all() {
    List<Encoding<?>> all = new ArrayList<>();
    all.addAll(Scalars.ALL);
    all.addAll(Numbers.ALL);
    all.addAll(Times.ALL);
    all.addAll(PrimitiveArrays.ALL);
    return List.copyOf(all);
  }
}
