package dev.tempest.runtime.node;

import dev.tempest.protocol.Address;
import dev.tempest.wire.Message;
import java.util.LinkedHashMap;
import java.util.Map;
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

  private final LinkedHashMap<Asked, Waiting<Message.RequestMessage>> oldestFirst =
      new LinkedHashMap<>();
  private long sizeBytes;

  /**
   * Adds a read, in place of an earlier attempt that waits.
   *
   * @return how many of the oldest have gone for it
   */
  int add(Address from, Message.Read read, long nowNanos) {
    return add(read, new Waiting<>(from, read, read.call().arguments().size(), nowNanos));
  }

  /** Adds one that is to see what its client has seen; as above. */
  int add(Address from, Message.SeenRead read, long nowNanos) {
    int sizeBytes = read.read().call().arguments().size() + read.seen().sizeBytes();
    return add(read.read(), new Waiting<>(from, read, sizeBytes, nowNanos));
  }

  private int add(Message.Read read, Waiting<Message.RequestMessage> added) {
    took(oldestFirst.putLast(new Asked(read.service(), read.id(), added.from()), added));
    sizeBytes += added.sizeBytes();
    int gone = 0;
    while (oldestFirst.size() > COUNT_MAX || (sizeBytes > BYTES_MAX && oldestFirst.size() > 1)) {
      took(oldestFirst.pollFirstEntry().getValue());
      gone++;
    }
    return gone;
  }

  /** Takes the newest; null if there is none. */
  @Nullable Waiting<Message.RequestMessage> take() {
    Map.Entry<Asked, Waiting<Message.RequestMessage>> newest = oldestFirst.pollLastEntry();
    return newest == null ? null : took(newest.getValue());
  }

  private @Nullable Waiting<Message.RequestMessage> took(
      @Nullable Waiting<Message.RequestMessage> gone) {
    sizeBytes -= gone == null ? 0 : gone.sizeBytes();
    return gone;
  }

  int size() {
    return oldestFirst.size();
  }
}
