package dev.tempest.runtime.transport;

import dev.tempest.runtime.LogLines;
import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.FullMemory;
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
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
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
  private static final System.Logger LOGGER = LogLines.logger(IncomingStreams.class);

  private static final int CONNECTIONS_MAX = 256;
  private static final int WAITING_FRAMES_MAX = 64;

  /** Longer than a sender keeps an idle connection, so that the sender is the one to close it. */
  private static final int IDLE_MILLIS = 60_000;

  private static final Duration CLOSE_MAX = Duration.ofSeconds(2);
  private static final long ACCEPT_AGAIN_NANOS = 50_000_000;

  /** What a peer has to send within the time of {@link Limits}, or its connection is cut. */
  private static final int CHUNK_BYTES = 64 << 10;

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** A frame takes its bytes and, read, about as many once more. */
  private static final int COPIES = 2;

  /** No frame takes more in memory, whatever lists it has. */
  private static final long DECODED_FACTOR = 64;

  /** What an element of a list takes in memory beside its bytes, with all that belongs to it. */
  private static final int ELEMENT_BYTES = 256;

  /**
   * How much there is room for.
   *
   * @param bytesMax what frames take in memory at most, those that arrive, those that wait, and
   *     what is read from them
   * @param waitMillis how long a frame waits for room, and for 64 KiB of itself
   */
  record Limits(int bytesMax, int waitMillis) {
    static final Limits DEFAULT =
        new Limits(
            (int) Math.min(3L * FrameCodec.MAX_FRAME_BYTES, Runtime.getRuntime().maxMemory() / 2),
            10_000);

    /**
     * The rest of the room is for its contents, and for their {@linkplain #listsMaxBytes lists}.
     */
    int frameMaxBytes() {
      return Math.min(FrameCodec.MAX_FRAME_BYTES, bytesMax / 8 * 3);
    }

    /** What the lists of one frame may take beside their bytes. */
    int listsMaxBytes() {
      return bytesMax / 4;
    }
  }

  /** A frame that waits, and what it takes in memory. */
  private record Waiting(Inbound inbound, int heldBytes) {}

  private final ServerSocket listener;
  private final Thread acceptor;
  private final Limits limits;
  private final Runnable wakeup;
  private final OtherVersions otherVersions;
  private final Counters counters;
  private final Predicate<InetAddress> accepted;
  private final Doorplate doorplate;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();

  /** Connections on which no frame has begun, the one that waits longest first. */
  private final Deque<Socket> idle = new ConcurrentLinkedDeque<>();

  private final BlockingQueue<Waiting> arrived = new ArrayBlockingQueue<>(WAITING_FRAMES_MAX);

  private final LargeFrames large;
  private final StreamRoom room;
  private final AtomicBoolean toldTooLarge = new AtomicBoolean();
  private final AtomicBoolean toldFull = new AtomicBoolean();

  /** Met by what a member sent; null as long as there was memory for that. */
  private volatile @Nullable OutOfMemoryError full;

  /**
   * Accepts connections until closed.
   *
   * @param accepted from which addresses connections are read
   * @param large who may send large frames
   * @param doorplate what whoever knocks reads
   * @param wakeup called after each frame that arrived
   */
  IncomingStreams(
      ServerSocket listener,
      Predicate<InetAddress> accepted,
      LargeFrames large,
      Doorplate doorplate,
      Limits limits,
      Runnable wakeup,
      OtherVersions otherVersions,
      Counters counters) {
    this.listener = listener;
    this.accepted = accepted;
    this.large = large;
    this.doorplate = doorplate;
    this.limits = limits;
    this.room = new StreamRoom(limits.bytesMax());
    this.wakeup = wakeup;
    this.otherVersions = otherVersions;
    this.counters = counters;
    this.acceptor =
        Thread.ofVirtual().name("tempest-accept-" + listener.getLocalPort()).start(this::accept);
  }

  /**
   * The next frame that arrived; null if there is none.
   *
   * @throws OutOfMemoryError if there was no memory for one of a member, which has to be taken
   */
  @Nullable Inbound poll() {
    OutOfMemoryError met = full;
    if (met != null) {
      throw met;
    }
    Waiting next = arrived.poll();
    if (next == null) {
      return null;
    }
    room.release(next.heldBytes());
    return next.inbound();
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
        if (connections.size() > CONNECTIONS_MAX) {
          makeRoom(socket);
        }
        idle.add(socket);
        if (listener.isClosed()) {
          drop(socket);
        } else {
          Thread.ofVirtual().name("tempest-stream").start(() -> read(socket));
        }
      } catch (IOException | OutOfMemoryError broken) {
        // Out of file descriptors, or the connection has gone already: the next may be better.
        if (!listener.isClosed()) {
          counters.count(Counters.Kind.STREAMS_BROKEN);
          LockSupport.parkNanos(ACCEPT_AGAIN_NANOS);
        }
      }
    }
  }

  /** Who is silent for longest gives way, then who sends slowest, then the new one. */
  private void makeRoom(Socket added) {
    counters.count(Counters.Kind.STREAMS_REFUSED);
    Socket silent = idle.poll();
    if (silent != null) {
      drop(silent);
    } else if (!room.cutSlowest()) {
      drop(added);
    }
  }

  private void read(Socket socket) {
    try {
      socket.setSoTimeout(IDLE_MILLIS);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      byte[] beginning = readInt(in);
      if (beginning.length == 0) { // Somebody looks whether the port is open, as for a container.
        return;
      }
      int magic = ByteBuffer.wrap(beginning).getInt();
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
        idle.remove(socket);
        socket.setSoTimeout(limits.waitMillis());
        goesOn = size > 0 && take(socket, from, in, size);
        idle.add(socket);
      }
    } catch (IOException | OutOfMemoryError broken) {
      counters.count(Counters.Kind.STREAMS_BROKEN);
    } catch (MalformedException malformed) {
      counters.count(Counters.Kind.MALFORMED);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      drop(socket);
    }
  }

  /** The next 4 bytes; none at the end of the stream. */
  private static byte[] readInt(DataInputStream in) throws IOException {
    byte[] bytes = in.readNBytes(Integer.BYTES);
    if (bytes.length % Integer.BYTES != 0) {
      throw new EOFException("a stream is cut off");
    }
    return bytes;
  }

  /** The size of the next frame; 0 at the end of the stream. */
  private int readSize(DataInputStream in) throws IOException {
    byte[] bytes = readInt(in);
    if (bytes.length == 0) {
      return 0;
    }
    int size = ByteBuffer.wrap(bytes).getInt();
    if (size < 1 || size > FrameCodec.MAX_FRAME_BYTES) {
      throw new MalformedException("a frame of " + size + " bytes");
    }
    return size;
  }

  /** Takes a frame and hands it over; false if there is no room for it. */
  private boolean take(Socket socket, PeerAddress from, DataInputStream in, int size)
      throws IOException, InterruptedException {
    if (size > limits.frameMaxBytes()) {
      tooLarge(from, size);
      return false;
    }
    StreamRoom.Arrival arrival = new StreamRoom.Arrival(() -> giveWay(socket));
    boolean isHandedOver = false;
    try {
      byte[] frame = readFrame(from, in, size, arrival);
      int listsBytes = frame == null ? 0 : listsBytes(frame);
      if (frame == null || !room.take(arrival, listsBytes, limits.waitMillis() * NANOS_PER_MILLI)) {
        counters.count(Counters.Kind.STREAMS_REFUSED);
        return false;
      }
      Waiting read = decode(from, frame, listsBytes);
      isHandedOver = read != null && room.arrived(arrival, read.heldBytes()) && handOver(read);
      return read != null;
    } catch (OutOfMemoryError met) {
      noMemory(from, met);
      return false;
    } finally {
      if (!isHandedOver) { // Else whoever polls it gives the room back.
        room.end(arrival);
      }
    }
  }

  /** What its lists may take beside its bytes. */
  private int listsBytes(byte[] frame) {
    return frame.length < FrameCodec.KIND_BYTES || !FrameCodec.hasLists(frame)
        ? 0
        : (int) Math.min(DECODED_FACTOR * frame.length, limits.listsMaxBytes());
  }

  /** Null if it is none that is understood here. */
  private @Nullable Waiting decode(PeerAddress from, byte[] frame, int listsBytes) {
    ByteReader reader = new ByteReader(frame, 0, frame.length);
    int elementsMax =
        listsBytes < limits.listsMaxBytes() ? frame.length : listsBytes / ELEMENT_BYTES;
    reader.limitElements(elementsMax);
    try {
      Frame read = FrameCodec.readSingle(reader);
      long elementsBytes = (long) ELEMENT_BYTES * (elementsMax - reader.elementsLeft());
      int heldBytes = frame.length + (int) Math.min(elementsBytes, listsBytes);
      return new Waiting(new Inbound(from, read, frame.length), heldBytes);
    } catch (MalformedException malformed) {
      otherVersions.take(from, new ByteReader(frame, 0, frame.length));
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
          "{0} sends a message of {1} bytes, but this process has room for at most {2} with its"
              + " memory: start it with a larger -Xmx. This is logged once",
          from,
          size,
          limits.frameMaxBytes());
    }
  }

  /**
   * What members send, such as their state, this process cannot do without, and it comes again and
   * again. What others send is not to end it.
   */
  private void noMemory(PeerAddress from, OutOfMemoryError met) {
    if (FullMemory.isMetBy(met) && large.isMember(from)) {
      full = met;
      wakeup.run();
    } else if (toldFull.compareAndSet(false, true)) {
      LOGGER.log(
          Level.WARNING,
          "{0} sends what this process has no memory for, and its connection was closed: {1}."
              + " This is logged once",
          from,
          FullMemory.REMEDY);
    }
    counters.count(Counters.Kind.STREAMS_REFUSED);
  }

  /** Null if there is no room for it, or its sender may not send so much. */
  private byte @Nullable [] readFrame(
      PeerAddress from, DataInputStream in, int size, StreamRoom.Arrival arrival)
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
        if (!room.take(arrival, COPIES * (wanted - read), waitNanos)) {
          return null;
        }
        frame = Arrays.copyOf(frame, wanted);
        chunkNanos = System.nanoTime(); // The peer is not to blame for the wait.
      }
      int more = in.read(frame, read, frame.length - read);
      if (more < 0) {
        throw new EOFException("a frame is cut off");
      }
      if (read < FrameCodec.KIND_BYTES
          && read + more >= FrameCodec.KIND_BYTES
          && !large.admits(from, frame, size)) {
        return null;
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

  private boolean handOver(Waiting inbound) throws InterruptedException {
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
    idle.remove(socket);
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
