package dev.tempest.runtime.transport;

import dev.tempest.values.ByteReader;
import dev.tempest.values.MalformedException;
import dev.tempest.wire.Frame;
import dev.tempest.wire.FrameCodec;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Takes the frames that do not fit a datagram from the connections of peers, each read by a virtual
 * thread, and keeps them for the endpoint's owner. The layout is that of {@link OutgoingStreams}.
 *
 * <p>Thread-safe.
 */
final class IncomingStreams implements AutoCloseable {
  private static final int CONNECTIONS_MAX = 256;
  private static final int WAITING_FRAMES_MAX = 64;

  /** Longer than a sender keeps an idle connection, so that the sender is the one to close it. */
  private static final int IDLE_MILLIS = 60_000;

  private static final int HAND_OVER_SECONDS = 10;
  private static final Duration CLOSE_MAX = Duration.ofSeconds(2);
  private static final long ACCEPT_AGAIN_NANOS = 50_000_000;
  private static final int FIRST_CHUNK_BYTES = 64 << 10;

  private final ServerSocket listener;
  private final Thread acceptor;
  private final int frameMaxBytes;
  private final Runnable wakeup;
  private final Counters counters;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private final BlockingQueue<Inbound> arrived = new ArrayBlockingQueue<>(WAITING_FRAMES_MAX);

  /**
   * Accepts connections until closed.
   *
   * @param wakeup called after each frame that arrived
   */
  IncomingStreams(ServerSocket listener, int frameMaxBytes, Runnable wakeup, Counters counters) {
    this.listener = listener;
    this.frameMaxBytes = frameMaxBytes;
    this.wakeup = wakeup;
    this.counters = counters;
    this.acceptor =
        Thread.ofVirtual().name("tempest-accept-" + listener.getLocalPort()).start(this::accept);
  }

  /** The next frame that arrived; null if there is none. */
  @Nullable Inbound poll() {
    return arrived.poll();
  }

  @Override
  public void close() {
    closeQuietly(listener);
    connections.forEach(this::closeQuietly);
    arrived.clear();
    try {
      acceptor.join(CLOSE_MAX); // The port is taken until the thread has left the socket.
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        connections.add(socket);
        if (connections.size() > CONNECTIONS_MAX || listener.isClosed()) {
          counters.count(Counters.Kind.STREAMS_REFUSED);
          drop(socket);
        } else {
          Thread.ofVirtual().name("tempest-stream").start(() -> read(socket));
        }
      } catch (IOException broken) {
        // Out of file descriptors, or the connection has gone already: the next may be better.
        if (!listener.isClosed()) {
          counters.count(Counters.Kind.STREAMS_BROKEN);
          LockSupport.parkNanos(ACCEPT_AGAIN_NANOS);
        }
      }
    }
  }

  private void read(Socket socket) {
    try {
      socket.setSoTimeout(IDLE_MILLIS);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      if (in.readInt() != OutgoingStreams.MAGIC) {
        throw new MalformedException("a stream begins otherwise");
      }
      int port = in.readUnsignedShort();
      PeerAddress from = new PeerAddress(new InetSocketAddress(socket.getInetAddress(), port));
      for (byte[] frame = readFrame(in); frame != null; frame = readFrame(in)) {
        handOver(from, FrameCodec.read(new ByteReader(frame, 0, frame.length)));
      }
    } catch (IOException broken) {
      counters.count(Counters.Kind.STREAMS_BROKEN);
    } catch (MalformedException malformed) {
      counters.count(Counters.Kind.MALFORMED);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      drop(socket);
    }
  }

  /** The next frame's bytes; null at the end of the stream. */
  private byte @Nullable [] readFrame(DataInputStream in) throws IOException {
    int first = in.read();
    if (first < 0) {
      return null;
    }
    int size = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
    if (size < 1 || size > frameMaxBytes) {
      throw new MalformedException("a frame of " + size + " bytes");
    }
    byte[] frame = new byte[Math.min(size, FIRST_CHUNK_BYTES)];
    int read = 0;
    while (read < size) {
      // Memory is taken as bytes arrive, not on the word of the size alone.
      if (read == frame.length) {
        frame = Arrays.copyOf(frame, (int) Math.min(2L * frame.length, size));
      }
      in.readFully(frame, read, frame.length - read);
      read = frame.length;
    }
    return frame;
  }

  private void handOver(PeerAddress from, Frame frame) throws InterruptedException {
    if (arrived.offer(new Inbound(from, frame), HAND_OVER_SECONDS, TimeUnit.SECONDS)) {
      counters.count(Counters.Kind.STREAM_FRAMES_RECEIVED);
      wakeup.run();
    } else {
      counters.count(Counters.Kind.STREAM_FRAMES_NOT_SENT);
    }
  }

  private void drop(Socket socket) {
    connections.remove(socket);
    closeQuietly(socket);
  }

  private void closeQuietly(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception broken) {
      counters.count(Counters.Kind.STREAMS_BROKEN);
    }
  }
}
