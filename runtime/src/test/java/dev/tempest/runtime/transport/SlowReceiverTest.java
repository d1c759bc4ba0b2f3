package dev.tempest.runtime.transport;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.runtime.transport.Counters.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Peers that read too slowly, or not at all, as real sockets. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlowReceiverTest {
  private static final int FRAME_BYTES = 1 << 20;
  private static final long WAITING_MAX_BYTES = 8 << 20;
  private static final long ALL_WAITING_MAX_BYTES = 20 << 20;

  /** More than the buffers of any two sockets. */
  private static final int FRAMES = 64;

  private final Counters counters = new Counters();
  private final OutgoingStreams streams =
      new OutgoingStreams(
          1, new OutgoingStreams.Limits(WAITING_MAX_BYTES, ALL_WAITING_MAX_BYTES, 400), counters);
  private final Queue<AutoCloseable> open = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() throws Exception {
    streams.close();
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  @Test
  void onePeerThatNeverReadsIsCutAndOthersAreServedMeanwhile() throws IOException {
    AtomicLong read = new AtomicLong();
    InetSocketAddress deaf = listen(socket -> {});
    InetSocketAddress fast = listen(socket -> readAll(socket, read));
    sendTo(deaf, FRAMES);
    assertThat(streams.waitingBytes()).isLessThanOrEqualTo(WAITING_MAX_BYTES);
    assertThat(counters.get(Kind.STREAM_FRAMES_NOT_SENT)).isPositive();
    sendTo(fast, 4);

    eventually("the fast one has it all", () -> read.get() > 4 * FRAME_BYTES);
    eventually("the deaf one is cut", () -> counters.get(Kind.STREAMS_STALLED) > 0);
    eventually("nothing is kept", () -> streams.waitingBytes() == 0);
  }

  /** Five questions of 42 bytes from ports that never read filled a heap of 256 MB. */
  @Test
  void peersThatNeverReadTakeNoMoreTogetherThanTheHeapHas() throws IOException {
    for (int peer = 0; peer < 5; peer++) {
      sendTo(listen(socket -> {}), FRAMES);
      assertThat(streams.waitingBytes()).isLessThanOrEqualTo(ALL_WAITING_MAX_BYTES);
    }
    assertThat(OutgoingStreams.Limits.of(256 << 20).allWaitingBytesMax())
        .isLessThanOrEqualTo(64 << 20);
  }

  @Test
  void onePeerThatReadsAByteNowAndThenIsCutAsWell() throws IOException {
    InetSocketAddress slow = listen(SlowReceiverTest::readSlowly);
    sendTo(slow, FRAMES);

    eventually("the slow one is cut", () -> counters.get(Kind.STREAMS_STALLED) > 0);
    eventually("nothing is kept", () -> streams.waitingBytes() == 0);
  }

  @Test
  void onePeerThatReadsAgainIsServedAgain() throws IOException {
    AtomicLong read = new AtomicLong();
    AtomicLong connections = new AtomicLong();
    InetSocketAddress paused =
        listen(socket -> {
          if (connections.incrementAndGet() > 1) {
            readAll(socket, read);
          }
        });
    sendTo(paused, FRAMES);
    eventually("cut", () -> counters.get(Kind.STREAMS_STALLED) > 0);
    eventually("nothing is kept", () -> streams.waitingBytes() == 0);
    long cuts = counters.get(Kind.STREAMS_STALLED);
    sendTo(paused, 2);

    eventually("what was sent later has arrived", () -> read.get() > 2 * FRAME_BYTES);
    assertThat(counters.get(Kind.STREAMS_STALLED)).isEqualTo(cuts);
  }

  @Test
  void oneFrameLargerThanTheLimitIsSentIfItIsAlone() throws IOException {
    AtomicLong read = new AtomicLong();
    InetSocketAddress fast = listen(socket -> readAll(socket, read));
    streams.send(fast, new byte[2 * (int) WAITING_MAX_BYTES]);

    eventually("it has arrived", () -> read.get() > 2 * WAITING_MAX_BYTES);
  }

  private void sendTo(InetSocketAddress peer, int frames) {
    for (int i = 0; i < frames; i++) {
      streams.send(peer, new byte[FRAME_BYTES]);
    }
  }

  /** What a peer does with a connection. */
  private interface Peer {
    void serve(Socket socket) throws IOException;
  }

  private InetSocketAddress listen(Peer peer) throws IOException {
    ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    open.add(listener);
    Thread.ofVirtual()
        .start(() -> {
          while (!listener.isClosed()) {
            accept(listener, peer);
          }
        });
    return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
  }

  private void accept(ServerSocket listener, Peer peer) {
    try {
      Socket socket = listener.accept();
      open.add(socket);
      Thread.ofVirtual()
          .start(() -> {
            try {
              peer.serve(socket);
            } catch (IOException cut) {
              assertThat(cut).isNotNull(); // The test is over, or the stream was cut.
            }
          });
    } catch (IOException closed) {
      assertThat(listener.isClosed()).isTrue();
    }
  }

  private static void readAll(Socket socket, AtomicLong count) throws IOException {
    InputStream in = socket.getInputStream();
    byte[] buffer = new byte[FRAME_BYTES];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      count.addAndGet(read);
    }
  }

  private static void readSlowly(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    while (in.read() >= 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
