package dev.tempest.state.versioned;

/**
 * How large one collection is.
 *
 * @param collection its kind and name, such as {@code map 'carts'}
 * @param entries how many it has; 1 for a counter that is not 0
 * @param sizeBytes what they take when encoded, estimated from a few of them where there are many;
 *     {@link #NOT_KNOWN} if one of those few is too large to be measured at once
 */
public record CollectionSize(String collection, long entries, long sizeBytes) {
  /** The size was not measured. */
  public static final long NOT_KNOWN = -1;
}
