package dev.tempest.wire;

/**
 * An update in the order of a service.
 *
 * @param id the request
 * @param stamp the hybrid logical clock of whoever named it, when it was sent
 * @param body what it does
 */
public record Entry(RequestId id, long stamp, Body body) implements Comparable<Entry> {
  /** The order on which all replicas agree: by stamp, then by request. */
  @Override
  public int compareTo(Entry that) {
    int byStamp = Long.compare(stamp, that.stamp);
    return byStamp != 0 ? byStamp : id.compareTo(that.id);
  }
}
