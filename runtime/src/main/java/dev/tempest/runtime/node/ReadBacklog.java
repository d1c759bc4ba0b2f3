package dev.tempest.runtime.node;

import dev.tempest.protocol.Address;
import dev.tempest.wire.Message;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Reads that a server has yet to execute: so many at most, the newest first. Whoever asked long ago
 * has asked elsewhere meanwhile, or has given up.
 *
 * <p>Not thread-safe.
 */
final class ReadBacklog {
  static final int COUNT_MAX = 8_192;

  /** Of all arguments together, and of what the clients have seen. */
  static final long BYTES_MAX = 16 << 20;

  /** A read, and who wants to know. */
  record Waiting(Address from, Message.RequestMessage read, int sizeBytes) {}

  private final ArrayDeque<Waiting> oldestFirst = new ArrayDeque<>();
  private long sizeBytes;

  /**
   * Adds a read.
   *
   * @return how many of the oldest have gone for it
   */
  int add(Address from, Message.Read read) {
    return add(new Waiting(from, read, read.call().arguments().size()));
  }

  /** Adds one that is to see what its client has seen; as above. */
  int add(Address from, Message.SeenRead read) {
    int sizeBytes = read.read().call().arguments().size() + read.seen().sizeBytes();
    return add(new Waiting(from, read, sizeBytes));
  }

  private int add(Waiting added) {
    oldestFirst.addLast(added);
    sizeBytes += added.sizeBytes();
    int gone = 0;
    while (oldestFirst.size() > COUNT_MAX || (sizeBytes > BYTES_MAX && oldestFirst.size() > 1)) {
      sizeBytes -= oldestFirst.removeFirst().sizeBytes();
      gone++;
    }
    return gone;
  }

  /** Takes the newest; null if there is none. */
  @Nullable Waiting take() {
    Waiting newest = oldestFirst.pollLast();
    sizeBytes -= newest == null ? 0 : newest.sizeBytes();
    return newest;
  }

  int size() {
    return oldestFirst.size();
  }
}
