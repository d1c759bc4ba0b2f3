package dev.tempest.runtime.transport;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Frame;
import dev.tempest.wire.FrameCodec;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Takes the frames that do not fit a datagram from the connections of peers, each read by a virtual
 * thread, and keeps them for the endpoint's owner, as far as there is room. The layout is that of
 * {@link OutgoingStreams}.
 *
 * <p>Thread-safe.
 */
final class IncomingStreams implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(IncomingStreams.class.getName());

  private static final int CONNECTIONS_MAX = 256;
  private static final int WAITING_FRAMES_MAX = 64;

  /** Longer than a sender keeps an idle connection, so that the sender is the one to close it. */
  private static final int IDLE_MILLIS = 60_000;

  private static final Duration CLOSE_MAX = Duration.ofSeconds(2);
  private static final long ACCEPT_AGAIN_NANOS = 50_000_000;

  /** What a peer has to send within the time of {@link Limits}, or its connection is cut. */
  private static final int CHUNK_BYTES = 64 << 10;

  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * How much there is room for.
   *
   * @param bytesMax what frames take in memory at most, those that arrive and those that wait
   * @param waitMillis how long a frame waits for room, and for 64 KiB of itself
   */
  record Limits(int bytesMax, int waitMillis) {
    static final Limits DEFAULT =
        new Limits(
            (int) Math.min(FrameCodec.MAX_FRAME_BYTES, Runtime.getRuntime().maxMemory() / 2),
            10_000);
  }

  private final ServerSocket listener;
  private final Thread acceptor;
  private final Limits limits;
  private final Runnable wakeup;
  private final OtherVersions otherVersions;
  private final Counters counters;
  private final Predicate<InetAddress> accepted;
  private final Doorplate doorplate;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private final BlockingQueue<Inbound> arrived = new ArrayBlockingQueue<>(WAITING_FRAMES_MAX);

  private final StreamRoom room;
  private final AtomicBoolean toldTooLarge = new AtomicBoolean();

  /**
   * Accepts connections until closed.
   *
   * @param accepted from which addresses connections are read
   * @param doorplate what whoever knocks reads
   * @param wakeup called after each frame that arrived
   */
  IncomingStreams(
      ServerSocket listener,
      Predicate<InetAddress> accepted,
      Doorplate doorplate,
      Limits limits,
      Runnable wakeup,
      OtherVersions otherVersions,
      Counters counters) {
    this.listener = listener;
    this.accepted = accepted;
    this.doorplate = doorplate;
    this.limits = limits;
    this.room = new StreamRoom(limits.bytesMax());
    this.wakeup = wakeup;
    this.otherVersions = otherVersions;
    this.counters = counters;
    this.acceptor =
        Thread.ofVirtual().name("tempest-accept-" + listener.getLocalPort()).start(this::accept);
  }

  /** The next frame that arrived; null if there is none. */
  @Nullable Inbound poll() {
    Inbound next = arrived.poll();
    if (next != null) {
      room.release(next.sizeBytes());
    }
    return next;
  }

  /** What frames take that arrive or wait. */
  int heldBytes() {
    return room.heldBytes();
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
        if (!accepted.test(socket.getInetAddress())) {
          counters.count(Counters.Kind.STRANGERS);
          closeQuietly(socket);
          continue;
        }
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
      int magic = in.readInt();
      if (magic == Doorplate.KNOCK) {
        doorplate.show(socket.getOutputStream());
        return;
      }
      if (magic != OutgoingStreams.MAGIC) {
        throw new MalformedException("this is not a stream of Tempest");
      }
      int port = in.readUnsignedShort();
      PeerAddress from = new PeerAddress(new InetSocketAddress(socket.getInetAddress(), port));
      boolean goesOn = true;
      while (goesOn) {
        socket.setSoTimeout(IDLE_MILLIS);
        int size = readSize(in);
        socket.setSoTimeout(limits.waitMillis());
        goesOn = size > 0 && take(socket, from, in, size);
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

  /** The size of the next frame; 0 at the end of the stream. */
  private int readSize(DataInputStream in) throws IOException {
    int first = in.read();
    if (first < 0) {
      return 0;
    }
    int size = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
    if (size < 1 || size > FrameCodec.MAX_FRAME_BYTES) {
      throw new MalformedException("a frame of " + size + " bytes");
    }
    return size;
  }

  /** Takes a frame and hands it over; false if there is no room for it. */
  private boolean take(Socket socket, PeerAddress from, DataInputStream in, int size)
      throws IOException, InterruptedException {
    if (size > limits.bytesMax()) {
      tooLarge(from, size);
      return false;
    }
    StreamRoom.Arrival arrival = new StreamRoom.Arrival(() -> giveWay(socket));
    boolean isHandedOver = false;
    try {
      byte[] frame = readFrame(in, size, arrival);
      if (frame == null) {
        counters.count(Counters.Kind.STREAMS_REFUSED);
        return false;
      }
      Frame read = decode(from, frame, size);
      isHandedOver =
          read != null && room.arrived(arrival) && handOver(new Inbound(from, read, size));
      return read != null;
    } finally {
      if (!isHandedOver) { // Else whoever polls it gives the room back.
        room.end(arrival);
      }
    }
  }

  /** Null if it is none that is understood here. */
  private @Nullable Frame decode(PeerAddress from, byte[] frame, int size) {
    try {
      return FrameCodec.read(new ByteReader(frame, 0, size));
    } catch (MalformedException malformed) {
      otherVersions.take(from, new ByteReader(frame, 0, size));
      wakeup.run(); // Its sender may be owed an answer.
      return null;
    }
  }

  private void giveWay(Socket socket) {
    counters.count(Counters.Kind.STREAMS_REFUSED);
    closeQuietly(socket);
  }

  /** Said once: it is sent again and again, and may be the state that this process waits for. */
  private void tooLarge(PeerAddress from, int size) {
    counters.count(Counters.Kind.STREAMS_REFUSED);
    if (toldTooLarge.compareAndSet(false, true)) {
      LOGGER.log(
          Level.WARNING,
          "{0} sends a message of {1} bytes, but this process accepts at most {2}, half of its"
              + " memory: start it with a larger -Xmx. This is logged once",
          from,
          size,
          limits.bytesMax());
    }
  }

  /** Null if there is no room for it. */
  private byte @Nullable [] readFrame(DataInputStream in, int size, StreamRoom.Arrival arrival)
      throws IOException, InterruptedException {
    long waitNanos = limits.waitMillis() * NANOS_PER_MILLI;
    byte[] frame = new byte[0];
    int read = 0;
    int chunkEnd = CHUNK_BYTES;
    long chunkNanos = System.nanoTime();
    while (read < size) {
      // Memory is taken as bytes arrive, not on the word of the size alone.
      if (read == frame.length) {
        int wanted = (int) Math.min(Math.max(2L * read, CHUNK_BYTES), size);
        if (!room.take(arrival, wanted - read, waitNanos)) {
          return null;
        }
        frame = Arrays.copyOf(frame, wanted);
        chunkNanos = System.nanoTime(); // The peer is not to blame for the wait.
      }
      int more = in.read(frame, read, frame.length - read);
      if (more < 0) {
        throw new EOFException("a frame is cut off");
      }
      read += more;
      long nowNanos = System.nanoTime();
      if (read >= chunkEnd) {
        chunkEnd = read + CHUNK_BYTES;
        chunkNanos = nowNanos;
      } else if (nowNanos - chunkNanos > waitNanos) {
        throw new SocketTimeoutException("a frame arrives too slowly");
      }
    }
    return frame;
  }

  private boolean handOver(Inbound inbound) throws InterruptedException {
    if (!arrived.offer(inbound, limits.waitMillis(), TimeUnit.MILLISECONDS)) {
      counters.count(Counters.Kind.STREAM_FRAMES_NOT_SENT);
      return false;
    }
    counters.count(Counters.Kind.STREAM_FRAMES_RECEIVED);
    wakeup.run();
    return true;
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
