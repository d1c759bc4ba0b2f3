package dev.tempest.wire;

/**
 * How much would be gone if all replicas of a service ended at once.
 *
 * @param millis so long ago a replica had no more than its latest checkpoint holds; {@link
 *     Message#NOT_KNOWN} if it has none
 * @param failing whether a later one could not be written
 */
public record CheckpointAge(long millis, boolean failing) {
  /** There is none. */
  public static final CheckpointAge NONE = new CheckpointAge(Message.NOT_KNOWN, false);
}
