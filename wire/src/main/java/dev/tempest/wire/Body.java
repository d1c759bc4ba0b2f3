package dev.tempest.wire;

/** What an {@link Entry} does to the state of every replica. */
public sealed interface Body permits Call, Change, Executed {
  /** How many bytes its contents have. */
  int sizeBytes();

  /** Which one it is of those that one request may have at different replicas; mostly 0. */
  default long number() {
    return 0;
  }
}
