package dev.tempest.values.encoding;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds what keeps {@code equals} of a type from deciding, and its values from being keys. */
final class ContentEquality {
  private ContentEquality() {}

  /**
   * Where within {@code encoding} lies a value whose {@code equals} does not compare contents: an
   * empty string if it is one itself, null if there is none.
   */
  static @Nullable String pathToArray(Encoding<?> encoding) {
    return path(encoding, each -> !each.isEqualByContents(), "", new ArrayList<>());
  }

  /** Whether {@code equals} may run code of users, or does not compare contents. */
  static boolean asksUsers(Encoding<?> encoding) {
    return path(encoding, ContentEquality::isOfUsers, "", new ArrayList<>()) != null;
  }

  /** Of which class a value of {@code any} is nobody knows before it is there. */
  private static boolean isOfUsers(Encoding<?> encoding) {
    return encoding instanceof RecordEncoding
        || encoding instanceof AnyEncoding
        || !encoding.isEqualByContents();
  }

  private static @Nullable String path(
      Encoding<?> encoding, Predicate<Encoding<?>> sought, String path, List<Encoding<?>> visited) {
    if (sought.test(encoding)) {
      return path;
    }
    if (visited.contains(encoding)) {
      return null;
    }
    visited.add(encoding);
    for (Encoding.Part part : encoding.parts()) {
      String found = path(part.encoding(), sought, path + part.label(), visited);
      if (found != null) {
        return found;
      }
    }
    return null;
  }
}
