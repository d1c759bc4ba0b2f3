package dev.tempest.state.versioned;

/**
 * Tells a visitor how a collection changes from version to version. To the visitor what cannot be
 * read here is not there: it is told of all else, and indexes do not count it.
 *
 * <p>Not thread-safe.
 */
@FunctionalInterface
public interface Following {
  /**
   * Calls the visitor for whatever of the collection differs. The cost grows with the differences,
   * not with the contents.
   *
   * @param before what was {@code after} the last time
   */
  void show(Version before, Version after);
}
