package dev.tempest.protocol.order.time;

import dev.tempest.protocol.order.Stamp;

/**
 * How long replicas take requests with a stamp: front-ends conclude from it which requests nobody
 * will execute any more. Equal at all replicas and front-ends.
 *
 * @param lengthMillis the length of an epoch
 * @param closeAfter how many epochs later one closes: from then on its entries come from other
 *     replicas only
 */
public record Epochs(int lengthMillis, int closeAfter) {
  /** Where nothing else is said. */
  public static final Epochs USUAL = new Epochs(100, 10);

  /** Whether a replica whose clock shows this has closed the epoch of a stamp. */
  public boolean isClosed(long stamp, long replicaStamp) {
    return of(stamp) <= of(replicaStamp) - closeAfter;
  }

  private long of(long stamp) {
    return Stamp.millis(stamp) / lengthMillis;
  }
}
