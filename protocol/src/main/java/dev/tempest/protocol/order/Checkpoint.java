package dev.tempest.protocol.order;

import dev.tempest.values.encoding.Bytes;
import java.util.Iterator;

/**
 * What a replica has at one moment, to outlive its process. Immutable: any thread can write it down
 * while the replica goes on.
 */
public interface Checkpoint {
  /** How many replicas there were, this one included. */
  int replicas();

  /** How many updates were executed for it. */
  long executed();

  /** Equal to that of another one of the same service if there is nothing new in this one. */
  Object mark();

  /**
   * All of it in pieces of a bounded size, of which each is made when it is asked for; a {@link
   * Restoring} takes them in this order.
   */
  Iterator<Bytes> pieces();
}
