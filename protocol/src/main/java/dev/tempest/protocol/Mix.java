package dev.tempest.protocol;

import dev.tempest.wire.Entry;
import dev.tempest.wire.RequestId;

/** Stable 64-bit mixing: the same in every process. */
public final class Mix {
  private Mix() {}

  /** A bijection that spreads every bit over all others (the finalizer of SplitMix64). */
  public static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  /** The hash of a request's id: the seed of the randomness that its execution sees. */
  public static long hash(RequestId id) {
    return hash(id.client(), id.sequence());
  }

  /** The hash of a client and a number of its own. */
  public static long hash(long client, long number) {
    return mix(client ^ mix(number + 0x9e3779b97f4a7c15L));
  }

  /**
   * The hash of an entry's id and stamp, and of which of its bodies it has where there may be
   * several. Digests carry sums of these.
   */
  public static long hash(Entry entry) {
    long body = mix(entry.body().number());
    return mix(hash(entry.id()) + mix(entry.stamp()) + body);
  }
}
