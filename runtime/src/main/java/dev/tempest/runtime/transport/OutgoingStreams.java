package dev.tempest.runtime.transport;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Sends frames that do not fit a datagram: one connection per peer, opened when needed, closed when
 * idle. A connection that breaks takes the frames that wait for it along; protocols tolerate that.
 *
 * <p>Layout of a stream: {@link #MAGIC} and the port of the sender's endpoint (2 bytes), then per
 * frame its size (4 bytes) and its bytes; all big endian.
 *
 * <p>Thread-safe.
 */
final class OutgoingStreams implements AutoCloseable {
  /** "TMPS", the first 4 bytes of every stream. */
  static final int MAGIC = 0x544D5053;

  private static final int CONNECTIONS_MAX = 1_024;
  private static final int WAITING_FRAMES_MAX = 256;
  private static final long WAITING_BYTES_MAX = 512L << 20;
  private static final int CONNECT_TIMEOUT_MILLIS = 2_000;
  private static final int IDLE_MILLIS = 20_000;

  private final int ownPort;
  private final Counters counters;
  private final ConcurrentMap<InetSocketAddress, Connection> connections =
      new ConcurrentHashMap<>();
  private final AtomicLong waitingBytes = new AtomicLong();
  private volatile boolean closed;

  OutgoingStreams(int ownPort, Counters counters) {
    this.ownPort = ownPort;
    this.counters = counters;
  }

  /** Queues a frame, which has to stay unchanged from now on. */
  void send(InetSocketAddress to, byte[] frame) {
    connections.compute(
        to,
        (peer, existing) -> {
          if (closed || (existing == null && connections.size() >= CONNECTIONS_MAX)) {
            counters.count(Counters.Kind.STREAM_FRAMES_NOT_SENT);
            return existing;
          }
          Connection connection = existing == null ? new Connection(peer) : existing;
          connection.offer(frame);
          if (existing == null) {
            Thread.ofVirtual().name("tempest-stream-to-" + peer).start(connection);
          }
          return connection;
        });
  }

  @Override
  public void close() {
    closed = true;
    connections.values().forEach(Connection::close);
  }

  private final class Connection implements Runnable {
    private final InetSocketAddress peer;
    private final BlockingQueue<byte[]> waiting = new ArrayBlockingQueue<>(WAITING_FRAMES_MAX);
    private final Socket socket = new Socket();

    Connection(InetSocketAddress peer) {
      this.peer = peer;
    }

    void offer(byte[] frame) {
      if (waitingBytes.addAndGet(frame.length) <= WAITING_BYTES_MAX && waiting.offer(frame)) {
        counters.count(Counters.Kind.STREAM_FRAMES_SENT);
      } else {
        waitingBytes.addAndGet(-frame.length);
        counters.count(Counters.Kind.STREAM_FRAMES_NOT_SENT);
      }
    }

    @Override
    public void run() {
      try (socket) {
        socket.connect(peer, CONNECT_TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        Thread.ofVirtual().name("tempest-stream-watch-" + peer).start(this::closeWithPeer);
        // No DataOutputStream: its write is synchronized, and until Java 24 a virtual thread that
        // waits in there keeps a carrier; a few of them would keep all from reading on.
        OutputStream out = socket.getOutputStream();
        out.write(ByteBuffer.allocate(6).putInt(MAGIC).putShort((short) ownPort).array());
        for (byte[] frame = next(); frame != null; frame = next()) {
          out.write(ByteBuffer.allocate(Integer.BYTES).putInt(frame.length).array());
          out.write(frame);
        }
      } catch (IOException broken) {
        counters.count(Counters.Kind.STREAMS_BROKEN);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      } finally {
        abandon();
      }
    }

    /** The next frame to send; null once there was none for long and the connection is given up. */
    private byte @Nullable [] next() throws InterruptedException {
      byte[] frame = waiting.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
      if (frame == null) {
        // Within compute no frame can be added at the same time.
        connections.computeIfPresent(
            peer, (key, current) -> current == this && waiting.isEmpty() ? null : current);
        frame = waiting.poll();
      }
      if (frame != null) {
        waitingBytes.addAndGet(-frame.length);
      }
      return frame;
    }

    /** Notices that the peer has gone before the next frame would be lost to a dead connection. */
    private void closeWithPeer() {
      try {
        while (socket.getInputStream().read() >= 0) {
          // Nothing is ever said on this way back.
          counters.count(Counters.Kind.UNEXPECTED);
        }
      } catch (IOException broken) {
        // The same as an end.
        abandon();
      }
      abandon();
      close();
    }

    private void abandon() {
      connections.remove(peer, this);
      for (byte[] frame = waiting.poll(); frame != null; frame = waiting.poll()) {
        waitingBytes.addAndGet(-frame.length);
        counters.count(Counters.Kind.STREAM_FRAMES_NOT_SENT);
      }
    }

    void close() {
      try {
        socket.close();
      } catch (IOException broken) {
        counters.count(Counters.Kind.STREAMS_BROKEN);
      }
    }
  }
}
