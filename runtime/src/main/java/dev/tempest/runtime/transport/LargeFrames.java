package dev.tempest.runtime.transport;

import dev.tempest.runtime.LogLines;
import dev.tempest.wire.FrameCodec;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Who may send large frames by stream: members, and those who have large requests. What members say
 * to each other may have long lists, and take much time to read; nobody else has anything large to
 * say.
 *
 * <p>Thread-safe.
 */
final class LargeFrames {
  /** What anybody may say. */
  private static final int SMALL_MAX_BYTES = 64 << 10;

  /** What has no lists: a tool that reads says where it is, which may be a large key. */
  private static final int PLAIN_MAX_BYTES = 1 << 20;

  /** The arguments of a request, 16 MiB at most, and what its client has seen. */
  private static final int REQUEST_MAX_BYTES = 20 << 20;

  private static final System.Logger LOGGER = LogLines.logger(LargeFrames.class);

  private final boolean isAskedByAnybody;
  private final AtomicBoolean toldRefused = new AtomicBoolean();
  private volatile Set<InetSocketAddress> members = Set.of();

  /** Who asks others reads what they answer, from anybody. */
  LargeFrames(boolean isAskedByAnybody) {
    this.isAskedByAnybody = isAskedByAnybody;
  }

  /** From now on those are the members, by where they send from. */
  void from(Set<InetSocketAddress> senders) {
    members = senders;
  }

  /** Whether it is a member that sends from there. */
  boolean isMember(PeerAddress from) {
    return members.contains(from.socket());
  }

  /** Whether a frame of that size, of which the beginning is there, is read on. */
  boolean admits(PeerAddress from, byte[] begun, int size) {
    if (!isAskedByAnybody || size <= SMALL_MAX_BYTES || isMember(from)) {
      return true;
    }
    int plainMaxBytes = FrameCodec.hasLists(begun) ? SMALL_MAX_BYTES : PLAIN_MAX_BYTES;
    int maxBytes = FrameCodec.isRequest(begun) ? REQUEST_MAX_BYTES : plainMaxBytes;
    if (size > maxBytes && toldRefused.compareAndSet(false, true)) {
      LOGGER.log(
          Level.WARNING,
          "{0}, which is no member, sends a message of {1} bytes, but only members may send more"
              + " than {2}: its connection was closed. If it should be one, see why it is not"
              + " among the members. This is logged once",
          from,
          size,
          maxBytes);
    }
    return size <= maxBytes;
  }
}
