package dev.tempest.wire;

/**
 * An update in the order of a service.
 *
 * @param id the request
 * @param stamp where it counts: the hybrid logical clock of whoever named it, when it was sent, or
 *     later if it came too late for that and was put in again
 * @param firstStamp what the clock said then: since about that time it may have been executed
 *     somewhere
 * @param body what it does
 */
public record Entry(RequestId id, long stamp, long firstStamp, Body body)
    implements Comparable<Entry> {
  /** An update that counts where it was sent. */
  public Entry(RequestId id, long stamp, Body body) {
    this(id, stamp, stamp, body);
  }

  /** The same request in another place. */
  public Entry again(long there, Body again) {
    return new Entry(id, there, Math.min(firstStamp, there), again);
  }

  /** The order on which all replicas agree: by stamp, then by request. */
  @Override
  public int compareTo(Entry that) {
    int byStamp = Long.compare(stamp, that.stamp);
    return byStamp != 0 ? byStamp : id.compareTo(that.id);
  }
}
