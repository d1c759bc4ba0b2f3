package dev.tempest.protocol;

/**
 * How long replicas take requests with a stamp, where nothing else is said: front-ends conclude
 * from it which requests nobody will execute any more.
 */
public final class Epochs {
  /** The length of an epoch. */
  public static final int LENGTH_MILLIS = 100;

  /** How many epochs later one closes: from then on its entries come from other replicas only. */
  public static final int CLOSE_AFTER = 10;

  private Epochs() {}

  /** Whether a replica whose clock shows this has closed the epoch of a stamp. */
  public static boolean isClosed(long stamp, long replicaStamp) {
    return of(stamp) <= of(replicaStamp) - CLOSE_AFTER;
  }

  private static long of(long stamp) {
    return Stamp.millis(stamp) / LENGTH_MILLIS;
  }
}
