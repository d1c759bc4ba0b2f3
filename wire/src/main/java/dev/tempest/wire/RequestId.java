package dev.tempest.wire;

/**
 * The one name of a request for life: a retry keeps it, at whichever replica.
 *
 * @param client 64 random bits of one front-end incarnation
 * @param sequence 1, 2, 3... counting the client's updates to one service, and apart from them its
 *     reads
 */
public record RequestId(long client, long sequence) implements Comparable<RequestId> {
  /** Refuses sequences below 1. */
  public RequestId {
    if (sequence < 1) {
      throw new IllegalArgumentException("sequences start at 1, not " + sequence);
    }
  }

  @Override
  public int compareTo(RequestId that) {
    int byClient = Long.compare(client, that.client);
    return byClient != 0 ? byClient : Long.compare(sequence, that.sequence);
  }

  @Override
  public String toString() {
    return Long.toHexString(client) + "/" + sequence;
  }
}
