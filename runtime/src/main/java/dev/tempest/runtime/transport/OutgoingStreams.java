package dev.tempest.runtime.transport;

import dev.tempest.runtime.LogLines;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
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
 * <p>Nobody waits for a peer that does not read: what waits for one peer is bounded, further frames
 * are dropped, and a connection that takes too little for too long is cut.
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

  /** What a peer has to take within the time of {@link Limits}, or its connection is cut. */
  private static final int CHUNK_BYTES = 64 << 10;

  private static final int CONNECT_TIMEOUT_MILLIS = 2_000;
  private static final int IDLE_MILLIS = 20_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private static final System.Logger LOGGER = LogLines.logger(OutgoingStreams.class);

  /**
   * How much patience there is with one peer.
   *
   * @param waitingBytesMax how much waits for it at most, unless it is a single frame
   * @param allWaitingBytesMax how much waits for all peers at most
   * @param chunkMillis how long it may take for 64 KiB
   */
  record Limits(long waitingBytesMax, long allWaitingBytesMax, int chunkMillis) {
    static final Limits DEFAULT = of(Runtime.getRuntime().maxMemory());

    static Limits of(long heapBytes) {
      long allBytes = Math.min(512L << 20, heapBytes / 4);
      return new Limits(Math.min(64L << 20, allBytes / 2), allBytes, 10_000);
    }
  }

  private final int ownPort;
  private final Limits limits;
  private final Counters counters;
  private final ConcurrentMap<InetSocketAddress, Connection> connections =
      new ConcurrentHashMap<>();
  private final AtomicLong waitingBytes = new AtomicLong();
  private volatile boolean closed;

  OutgoingStreams(int ownPort, Limits limits, Counters counters) {
    this.ownPort = ownPort;
    this.limits = limits;
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

  /** The bytes of all frames that were handed in and are not gone. */
  long waitingBytes() {
    return waitingBytes.get();
  }

  @Override
  public void close() {
    closed = true;
    connections.values().forEach(Connection::close);
  }

  private final class Connection implements Runnable {
    private static final long NOT_WRITING = Long.MAX_VALUE;

    private final InetSocketAddress peer;
    private final BlockingQueue<byte[]> waiting = new ArrayBlockingQueue<>(WAITING_FRAMES_MAX);
    private final AtomicLong ownBytes = new AtomicLong();
    private final Socket socket = new Socket();

    /** By when the peer has to have taken what is being written to it. */
    private volatile long chunkUntilNanos = NOT_WRITING;

    Connection(InetSocketAddress peer) {
      this.peer = peer;
    }

    void offer(byte[] frame) {
      long ofPeer = ownBytes.addAndGet(frame.length);
      long ofAll = waitingBytes.addAndGet(frame.length);
      boolean fits = ofPeer <= limits.waitingBytesMax() || ofPeer == frame.length;
      if (fits && ofAll <= limits.allWaitingBytesMax() && waiting.offer(frame)) {
        counters.count(Counters.Kind.STREAM_FRAMES_SENT);
      } else {
        drop(frame);
      }
    }

    private void drop(byte[] frame) {
      gone(frame);
      counters.count(Counters.Kind.STREAM_FRAMES_NOT_SENT);
    }

    private void gone(byte[] frame) {
      ownBytes.addAndGet(-frame.length);
      waitingBytes.addAndGet(-frame.length);
    }

    @Override
    public void run() {
      try (socket) {
        socket.connect(peer, CONNECT_TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        Thread.ofVirtual().name("tempest-stream-watch-" + peer).start(this::watch);
        // No DataOutputStream: its write is synchronized, and until Java 24 a virtual thread that
        // waits in there keeps a carrier; a few of them would keep all from reading on.
        OutputStream out = socket.getOutputStream();
        out.write(ByteBuffer.allocate(6).putInt(MAGIC).putShort((short) ownPort).array());
        for (byte[] frame = next(); frame != null; frame = next()) {
          try {
            write(frame, out);
          } finally {
            gone(frame);
          }
        }
      } catch (IOException broken) {
        counters.count(Counters.Kind.STREAMS_BROKEN);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      } finally {
        abandon();
      }
    }

    private void write(byte[] frame, OutputStream out) throws IOException {
      // Its size travels with its beginning: alone it would wake the peer once more.
      int sent = Math.min(frame.length, CHUNK_BYTES - Integer.BYTES);
      ByteBuffer begin = ByteBuffer.allocate(Integer.BYTES + sent);
      writeChunk(begin.putInt(frame.length).put(frame, 0, sent).array(), 0, begin.capacity(), out);
      for (int at = sent; at < frame.length; at += CHUNK_BYTES) {
        writeChunk(frame, at, Math.min(CHUNK_BYTES, frame.length - at), out);
      }
      chunkUntilNanos = NOT_WRITING;
    }

    private void writeChunk(byte[] bytes, int at, int length, OutputStream out) throws IOException {
      chunkUntilNanos = System.nanoTime() + limits.chunkMillis() * NANOS_PER_MILLI;
      out.write(bytes, at, length);
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
      return frame;
    }

    /**
     * Notices that the peer has gone before the next frame would be lost to a dead connection, and
     * that it does not read.
     */
    private void watch() {
      try {
        socket.setSoTimeout(Math.max(1, limits.chunkMillis() / 4));
        boolean open = true;
        while (open && !isStalled()) {
          open = isOpen();
        }
      } catch (IOException broken) {
        // The same as an end.
        abandon();
      }
      abandon();
      close();
    }

    /** Waits for a while for what never comes. */
    private boolean isOpen() throws IOException {
      try {
        boolean open = socket.getInputStream().read() >= 0;
        counters.count(Counters.Kind.UNEXPECTED, open ? 1 : 0);
        return open;
      } catch (SocketTimeoutException silence) {
        return true; // As it should be: nothing is ever said on this way back.
      }
    }

    private boolean isStalled() {
      long untilNanos = chunkUntilNanos;
      if (untilNanos == NOT_WRITING || System.nanoTime() - untilNanos < 0) {
        return false;
      }
      counters.count(Counters.Kind.STREAMS_STALLED);
      LOGGER.log(
          Level.WARNING,
          "{0} read less than {1} bytes in {2} ms: the stream to it was cut, and {3} waiting bytes"
              + " were dropped. Has it stopped, or is the network too slow?",
          peer,
          CHUNK_BYTES,
          limits.chunkMillis(),
          ownBytes.get());
      return true;
    }

    private void abandon() {
      connections.remove(peer, this);
      for (byte[] frame = waiting.poll(); frame != null; frame = waiting.poll()) {
        drop(frame);
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
