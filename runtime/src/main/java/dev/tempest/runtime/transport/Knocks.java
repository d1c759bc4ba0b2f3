package dev.tempest.runtime.transport;

import dev.tempest.protocol.membership.Occupant;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.FrameCodec;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.PortUnreachableException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;

/**
 * Finds out who lives at addresses from which nothing is heard. The system there accepts a
 * connection even while the process is stopped; then the connection stays, until the process goes
 * on and {@linkplain Doorplate says} what it is, or is gone.
 *
 * <p>Thread-safe.
 */
public final class Knocks implements AutoCloseable {
  private static final int AT_ONCE_MAX = 64;

  /** A system sends a lost request for a connection again after a second, and after two more. */
  private static final int CONNECT_TIMEOUT_MILLIS = 3_500;

  /** Whoever takes longer to answer is asked by datagram, too, again and again. */
  private static final int ANSWER_MILLIS = 100;

  private static final int ASK_AGAIN_MILLIS = 2_000;

  /** The system says sooner that nobody takes datagrams at a port. */
  private static final int REFUSAL_MILLIS = 50;

  private final long cluster;
  private final long sender;
  private final BiConsumer<PeerAddress, Occupant> found;
  private final ConcurrentMap<PeerAddress, Socket> underWay = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * Of a process that looks for members.
   *
   * @param found is told who lives where, and what changes there while it is being found out; by
   *     any thread
   */
  public Knocks(long cluster, long sender, BiConsumer<PeerAddress, Occupant> found) {
    this.cluster = cluster;
    this.sender = sender;
    this.found = found;
  }

  /** Begins to find it out, unless that is under way. */
  public void knock(PeerAddress at) {
    Socket socket = new Socket();
    if (!closed && underWay.size() < AT_ONCE_MAX && underWay.putIfAbsent(at, socket) == null) {
      Thread.ofVirtual().name("tempest-knock").start(() -> findOut(at, socket));
    }
  }

  /** Ends what is under way: nobody waits for it any more. */
  public void stop() {
    underWay.values().forEach(Knocks::closeQuietly);
  }

  @Override
  public void close() {
    closed = true;
    stop();
  }

  private void findOut(PeerAddress at, Socket socket) {
    Occupant occupant = Occupant.UNREACHABLE;
    try (socket) {
      socket.connect(at.socket(), CONNECT_TIMEOUT_MILLIS);
      occupant = Occupant.NONE;
      found.accept(at, Occupant.SILENT);
      occupant = ask(at, socket);
    } catch (ConnectException refused) {
      occupant = hasWayTo(at) ? Occupant.NONE : Occupant.UNREACHABLE;
    } catch (IOException gone) {
      // Whoever was there is gone, or nothing was heard from there.
    } finally {
      underWay.remove(at);
      found.accept(at, occupant);
    }
  }

  /** Without a way there, Java says the same as where nobody lives. */
  private static boolean hasWayTo(PeerAddress at) {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(at.socket()); // Nothing is sent.
      return true;
    } catch (SocketException unreachable) {
      return false;
    }
  }

  private Occupant ask(PeerAddress at, Socket socket) throws IOException {
    socket.getOutputStream().write(ByteBuffer.allocate(4).putInt(Doorplate.KNOCK).array());
    socket.setSoTimeout(ANSWER_MILLIS);
    byte[] answer = new byte[Doorplate.BYTES];
    int read = 0;
    InputStream in = socket.getInputStream();
    while (read < answer.length && !closed) {
      try {
        int more = in.read(answer, read, answer.length - read);
        if (more < 0) {
          return Occupant.NONE;
        }
        read += more;
      } catch (SocketTimeoutException silence) {
        if (!mayTakeDatagrams(at)) {
          return Occupant.NONE;
        }
        socket.setSoTimeout(ASK_AGAIN_MILLIS);
      }
    }
    boolean isMember =
        Arrays.equals(
            answer, ByteBuffer.allocate(Doorplate.BYTES).putLong(cluster).put((byte) 1).array());
    return isMember ? Occupant.MEMBER : Occupant.NONE;
  }

  /** What takes connections only is no process of Tempest. */
  private boolean mayTakeDatagrams(PeerAddress at) throws IOException {
    ByteWriter writer = new ByteWriter(64);
    FrameCodec.begin(writer, cluster, sender);
    FrameCodec.end(writer);
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(at.socket());
      socket.setSoTimeout(REFUSAL_MILLIS);
      socket.send(new DatagramPacket(writer.array(), writer.size()));
      socket.receive(new DatagramPacket(new byte[1], 1));
      return true;
    } catch (PortUnreachableException refused) {
      return false;
    } catch (SocketTimeoutException silence) {
      return true;
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException broken) {
      // It is gone already.
    }
  }
}
