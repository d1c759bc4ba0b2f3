package dev.tempest.protocol.order;

import dev.tempest.values.encoding.Bytes;

/**
 * What a replica is to begin with, made from the pieces of a {@link Checkpoint}. Not thread-safe.
 */
public interface Restoring {
  /**
   * Takes the next piece.
   *
   * @throws dev.tempest.values.encoding.MalformedException if this code cannot read it, saying why
   */
  void take(Bytes piece);

  /**
   * What they make up.
   *
   * @param replicas see {@link Checkpoint#replicas}
   * @throws dev.tempest.values.encoding.MalformedException if some are missing
   */
  Restored restored(int replicas);
}
