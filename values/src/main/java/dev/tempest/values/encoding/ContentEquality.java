package dev.tempest.values.encoding;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what keeps the values of a type from being keys. */
final class ContentEquality {
  private ContentEquality() {}

  /**
   * Where within {@code encoding} lies a value whose {@code equals} does not compare contents: an
   * empty string if it is one itself, null if there is none.
   */
  static @Nullable String pathToArray(Encoding<?> encoding) {
    return search(encoding, "", new ArrayList<>());
  }

  private static @Nullable String search(
      Encoding<?> encoding, String path, List<Encoding<?>> visited) {
    if (!encoding.isEqualByContents()) {
      return path;
    }
    if (visited.contains(encoding)) {
      return null;
    }
    visited.add(encoding);
    for (Encoding.Part part : encoding.parts()) {
      String found = search(part.encoding(), path + part.label(), visited);
      if (found != null) {
        return found;
      }
    }
    return null;
  }
}
