package dev.tempest.runtime.node;

import dev.tempest.OverloadedException;

/** Held by the one thread that writes. */
final class WriterLock extends DeadlineLock {
  private static final long serialVersionUID = 1;

  /**
   * Takes it, interrupted or not.
   *
   * @throws OverloadedException if others have held it for so long
   */
  void lockWithin(long longestNanos) {
    if (!tryWithin(longestNanos)) {
      throw new OverloadedException(
          "nothing was written: another thread stays in its batch, or many write. Do less in"
              + " one batch, and wait for no other thread there");
    }
  }
}
