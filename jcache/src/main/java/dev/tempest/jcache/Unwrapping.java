package dev.tempest.jcache;

/** What lies behind the interfaces of JCache. */
final class Unwrapping {
  private Unwrapping() {}

  /** The first of these that is of the class. */
  static <T> T as(Class<T> type, Object... candidates) {
    for (Object each : candidates) {
      if (type.isInstance(each)) {
        return type.cast(each);
      }
    }
    throw new IllegalArgumentException("There is no " + type.getName() + " behind this");
  }
}
