package dev.tempest.runtime.transport;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.runtime.transport.Counters.Kind;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Peers that send more than there is room for, as real sockets. */
class IncomingStreamsTest {
  private static final int ROOM_BYTES = 1 << 20;

  private final Counters counters = new Counters();
  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<AutoCloseable> open = new ArrayList<>();

  IncomingStreamsTest() throws IOException {}

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  @Test
  void whoeverBeginsFramesAndDoesNotEndThemHoldsNoMoreThanThereIsAndNotForLong()
      throws IOException {
    IncomingStreams streams = streams(200);
    for (int peer = 0; peer < 20; peer++) {
      connect().write(ByteBuffer.allocate(100).putInt(ROOM_BYTES / 2).array());
      assertThat(streams.heldBytes()).isLessThanOrEqualTo(ROOM_BYTES);
    }
    eventually("all are cut", () -> closed() == 20);
    assertThat(streams.heldBytes()).isZero();

    send(connect(), ROOM_BYTES / 2);
    eventually("there is room again", () -> streams.poll() != null);
  }

  @Test
  void whoeverSendsAByteNowAndThenIsCut() throws IOException {
    IncomingStreams streams = streams(200);
    DataOutputStream out = connect();
    out.writeInt(ROOM_BYTES);
    assertThatThrownBy(
            () -> {
              for (int sent = 0; sent < 1_000; sent++) {
                out.write(0);
                Thread.sleep(20);
              }
            })
        .isInstanceOf(IOException.class);
    eventually("it is cut", () -> counters.get(Kind.STREAMS_BROKEN) == 1);
    assertThat(streams.heldBytes()).isZero();
  }

  @Test
  void whatWaitsTakesRoomUntilItIsTaken() throws IOException {
    IncomingStreams streams = streams(60_000);
    send(connect(), ROOM_BYTES / 2 - 200);
    send(connect(), ROOM_BYTES / 2 - 200);
    eventually("two wait", () -> counters.get(Kind.STREAM_FRAMES_RECEIVED) == 2);
    send(connect(), ROOM_BYTES / 2 - 200);
    assertThat(streams.heldBytes()).isBetween(ROOM_BYTES - 400, ROOM_BYTES);
    assertThat(streams.poll()).isNotNull();
    eventually("the third comes", () -> counters.get(Kind.STREAM_FRAMES_RECEIVED) == 3);
    assertThat(streams.poll()).isNotNull();
    assertThat(streams.poll()).isNotNull();
    assertThat(streams.heldBytes()).isZero();
  }

  @Test
  void whoeverFindsNoRoomIsCut() throws IOException {
    IncomingStreams streams = streams(200);
    send(connect(), ROOM_BYTES / 2 - 200);
    send(connect(), ROOM_BYTES / 2 - 200);
    eventually("two wait", () -> counters.get(Kind.STREAM_FRAMES_RECEIVED) == 2);
    send(connect(), ROOM_BYTES / 2);
    eventually("it is refused", () -> counters.get(Kind.STREAMS_REFUSED) == 1);
    assertThat(streams.poll()).isNotNull();
  }

  /** Four slow streams that announced 100 MiB each kept everybody else out. */
  @Test
  void whatIsAnnouncedAndTricklesKeepsNobodyOut() throws IOException {
    IncomingStreams streams = streams(60_000);
    for (int peer = 0; peer < 100; peer++) {
      connect().writeInt(ROOM_BYTES);
    }
    send(connect(), ROOM_BYTES / 2);
    eventually("it has arrived", () -> streams.poll() != null);
  }

  @Test
  void whoeverSendsMuchAndThenTricklesGivesWay() throws IOException {
    IncomingStreams streams = streams(60_000);
    for (int peer = 0; peer < 2; peer++) {
      DataOutputStream out = connect();
      out.writeInt(ROOM_BYTES);
      out.write(new byte[ROOM_BYTES / 4 + 1]);
    }
    eventually("there is no room", () -> streams.heldBytes() == ROOM_BYTES);
    send(connect(), ROOM_BYTES / 2);
    eventually("it has arrived", () -> streams.poll() != null);
    assertThat(counters.get(Kind.STREAMS_REFUSED)).isPositive();
  }

  @Test
  void aFrameForWhichThereWillBeNoRoomIsRefusedAtOnce() throws IOException {
    IncomingStreams streams = streams(60_000);
    connect().writeInt(ROOM_BYTES + 1);
    eventually("it is refused", () -> counters.get(Kind.STREAMS_REFUSED) == 1);
    assertThat(streams.heldBytes()).isZero();
  }

  private long closed() {
    return counters.get(Kind.STREAMS_BROKEN) + counters.get(Kind.STREAMS_REFUSED);
  }

  private IncomingStreams streams(int waitMillis) {
    IncomingStreams.Limits limits = new IncomingStreams.Limits(ROOM_BYTES, waitMillis);
    IncomingStreams streams =
        new IncomingStreams(
            listener,
            anyone -> true,
            new Doorplate(1),
            limits,
            () -> {},
            new OtherVersions(1, true, counters),
            counters);
    open.add(streams);
    return streams;
  }

  private DataOutputStream connect() throws IOException {
    Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort());
    open.add(socket);
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    out.writeInt(OutgoingStreams.MAGIC);
    out.writeShort(7_000);
    return out;
  }

  private static void send(DataOutputStream out, int bytes) throws IOException {
    ByteWriter frame = new ByteWriter(ROOM_BYTES);
    FrameCodec.begin(frame, 1, 2);
    Bytes arguments = Bytes.of(new byte[bytes]);
    FrameCodec.add(frame, new Message.Read(5, new RequestId(6, 1), new Call(0, arguments)));
    FrameCodec.end(frame);
    out.writeInt(frame.size());
    out.write(frame.toBytes().toArray());
  }
}
