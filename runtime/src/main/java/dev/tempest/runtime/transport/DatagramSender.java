package dev.tempest.runtime.transport;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.jspecify.annotations.Nullable;

/**
 * Sends datagrams, and waits a little where the network takes them more slowly than they come: a
 * turn's datagrams are a burst, and most of what does not fit now fits a moment later. Whoever
 * waits serves nobody meanwhile, so each burst waits for a bounded time only.
 *
 * <p>Not thread-safe.
 */
final class DatagramSender implements AutoCloseable {
  /** In all, for the datagrams of a burst, which leave together. */
  static final long WAIT_MAX_NANOS = 5_000_000;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final DatagramChannel channel;
  private @Nullable Selector writable;
  private long waitedNanos;

  DatagramSender(DatagramChannel channel) {
    this.channel = channel;
  }

  /** Those that leave together have left: the next ones may wait as long again. */
  void endBurst() {
    waitedNanos = 0;
  }

  /**
   * Sends what remains in the buffer.
   *
   * @return false if the network does not take it in time; then it is lost
   */
  boolean send(ByteBuffer datagram, SocketAddress to) throws IOException {
    boolean taken = channel.send(datagram, to) > 0;
    while (!taken && waitedNanos < WAIT_MAX_NANOS) {
      await();
      taken = channel.send(datagram, to) > 0;
    }
    return taken;
  }

  @Override
  public void close() throws IOException {
    if (writable != null) {
      writable.close();
    }
  }

  private void await() throws IOException {
    Selector selector = writable;
    if (selector == null) {
      selector = Selector.open();
      channel.register(selector, SelectionKey.OP_WRITE);
      writable = selector;
    }
    long beforeNanos = System.nanoTime();
    selector.select(key -> {}, 1 + (WAIT_MAX_NANOS - waitedNanos) / NANOS_PER_MILLI);
    // Even a wait that ends at once counts, so that there is an end to it.
    waitedNanos += Math.max(System.nanoTime() - beforeNanos, WAIT_MAX_NANOS / 100);
  }
}
