package dev.tempest.runtime.transport;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * What whoever knocks at the port for streams reads: of which cluster this process is, and whether
 * it is a member. The threads of streams show it, whatever the event loop does.
 *
 * <p>Thread-safe.
 */
final class Doorplate {
  /** "TMPK", all that whoever knocks sends. */
  static final int KNOCK = 0x544D504B;

  /** What it reads: the cluster, and 1 for a member or 0. */
  static final int BYTES = Long.BYTES + 1;

  private final long cluster;
  private volatile boolean member;

  Doorplate(long cluster) {
    this.cluster = cluster;
  }

  void member(boolean isMember) {
    member = isMember;
  }

  void show(OutputStream out) throws IOException {
    out.write(ByteBuffer.allocate(BYTES).putLong(cluster).put((byte) (member ? 1 : 0)).array());
  }
}
