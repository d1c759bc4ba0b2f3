package dev.tempest.runtime.transport;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.runtime.transport.Counters.Kind;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Peers that send more than there is room for, as real sockets. */
class IncomingStreamsTest {
  private static final int ROOM_BYTES = 4 << 20;

  /** While it arrives it takes about half of the room, for it is to be read; then a quarter. */
  private static final int FRAME_BYTES = (1 << 20) - 200;

  private static final int PORT = 7_000;

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
      connect().write(ByteBuffer.allocate(100).putInt(FRAME_BYTES).array());
      assertThat(streams.heldBytes()).isLessThanOrEqualTo(ROOM_BYTES);
    }
    eventually("all are cut", () -> closed() == 20);
    assertThat(streams.heldBytes()).isZero();

    send(connect(), FRAME_BYTES);
    eventually("there is room again", () -> streams.poll() != null);
  }

  /** As whoever watches a container does, again and again. */
  @Test
  void whoeverLooksWhetherThePortIsOpenBreaksNothing() throws IOException {
    IncomingStreams streams = streams(60_000);
    new Socket(listener.getInetAddress(), listener.getLocalPort()).close();
    DataOutputStream broken = connect();
    broken.write(1);
    broken.close();
    eventually("the other one broke", () -> counters.get(Kind.STREAMS_BROKEN) == 1);
    send(connect(), FRAME_BYTES);
    eventually("a frame comes", () -> streams.poll() != null);
    assertThat(closed()).isEqualTo(1);
  }

  @Test
  void whoeverSendsAByteNowAndThenIsCut() throws IOException {
    IncomingStreams streams = streams(200);
    DataOutputStream out = connect();
    out.writeInt(FRAME_BYTES);
    assertThatThrownBy(
            () -> {
              for (int sent = 0; sent < 1_000; sent++) {
                out.write(0);
                Thread.sleep(20);
              }
            })
        .isInstanceOf(IOException.class);
    eventually("it is cut", () -> counters.get(Kind.STREAMS_BROKEN) == 1);
    eventually("its room is free", () -> streams.heldBytes() == 0);
  }

  @Test
  void whatWaitsTakesRoomUntilItIsTaken() throws IOException {
    IncomingStreams streams = streams(60_000);
    fill();
    send(connect(), FRAME_BYTES);
    assertThat(streams.heldBytes()).isBetween(3 * FRAME_BYTES, ROOM_BYTES);
    assertThat(streams.poll()).isNotNull();
    eventually("the fourth comes", () -> counters.get(Kind.STREAM_FRAMES_RECEIVED) == 4);
    for (int rest = 0; rest < 3; rest++) {
      assertThat(streams.poll()).isNotNull();
    }
    assertThat(streams.heldBytes()).isZero();
  }

  @Test
  void whoeverFindsNoRoomIsCut() throws IOException {
    IncomingStreams streams = streams(200);
    fill();
    send(connect(), FRAME_BYTES);
    eventually("it is refused", () -> counters.get(Kind.STREAMS_REFUSED) == 1);
    assertThat(streams.poll()).isNotNull();
  }

  /** Four slow streams that announced 100 MiB each kept everybody else out. */
  @Test
  void whatIsAnnouncedAndTricklesKeepsNobodyOut() throws IOException {
    IncomingStreams streams = streams(60_000);
    for (int peer = 0; peer < 100; peer++) {
      connect().writeInt(FRAME_BYTES);
    }
    send(connect(), FRAME_BYTES);
    eventually("it has arrived", () -> streams.poll() != null);
  }

  /** Before, 256 of them kept a node from every stream, as long as they came back each minute. */
  @Test
  void connectionsThatSayNothingKeepNobodyOut() throws IOException {
    IncomingStreams streams = streams(60_000);
    for (int peer = 0; peer < 150; peer++) {
      connect();
      open.add(new Socket(listener.getInetAddress(), listener.getLocalPort()));
    }
    send(connect(), FRAME_BYTES);
    eventually("it has arrived", () -> streams.poll() != null);
  }

  /** As many as a node reads at once, each in the midst of a frame. */
  @Test
  void connectionsThatTrickleKeepNobodyOut() throws IOException {
    IncomingStreams streams = streams(600_000);
    for (int peer = 0; peer < 256; peer++) {
      DataOutputStream out = connect();
      out.writeInt(100);
      out.write(0);
    }
    eventually("all have begun", () -> streams.heldBytes() == 256 * 2 * 100);
    eventually(
        "it has arrived",
        () -> {
          try {
            send(connect(), FRAME_BYTES);
          } catch (IOException cut) {
            return false; // It comes back, as peers do.
          }
          return streams.poll() != null;
        });
  }

  @Test
  void whoeverSendsMuchAndThenTricklesGivesWay() throws IOException {
    IncomingStreams streams = streams(60_000);
    for (int peer = 0; peer < 2; peer++) {
      DataOutputStream out = connect();
      out.writeInt(FRAME_BYTES);
      out.write(new byte[FRAME_BYTES / 4 * 3]);
    }
    eventually("there is no room", () -> streams.heldBytes() == 4 * FRAME_BYTES);
    send(connect(), FRAME_BYTES);
    eventually("it has arrived", () -> streams.poll() != null);
    assertThat(counters.get(Kind.STREAMS_REFUSED)).isPositive();
  }

  @Test
  void aFrameForWhichThereWillBeNoRoomIsRefusedAtOnce() throws IOException {
    IncomingStreams streams = streams(60_000);
    connect().writeInt(ROOM_BYTES / 2);
    eventually("it is refused", () -> counters.get(Kind.STREAMS_REFUSED) == 1);
    eventually("its room is free", () -> streams.heldBytes() == 0);
  }

  /** 60 KB of them took 2 MB in memory, and 128 MiB all there was. */
  @Test
  void aFrameOfManySmallMessagesIsRefusedAndItsStreamClosed() throws IOException {
    IncomingStreams streams = streams(60_000);
    DataOutputStream out = connect();
    send(out, Collections.nCopies(30_000, new Message.HostingRequest()));
    eventually("it is counted", () -> counters.get(Kind.MALFORMED) == 1);
    eventually("the stream is closed", () -> isClosed(out));
    assertThat(streams.poll()).isNull();
    assertThat(streams.heldBytes()).isZero();
  }

  @Test
  void theElementsOfListsTakeRoomToo() throws IOException {
    IncomingStreams streams = streams(60_000);
    send(connect(), List.of(want(1_000)));
    eventually("it waits", () -> counters.get(Kind.STREAM_FRAMES_RECEIVED) == 1);
    assertThat(streams.heldBytes()).isGreaterThan(100 * 1_000);
    assertThat(streams.poll()).isNotNull();
    assertThat(streams.heldBytes()).isZero();
  }

  @Test
  void moreElementsThanThereIsRoomForAreRefused() throws IOException {
    IncomingStreams streams = streams(60_000);
    send(connect(), List.of(want(60_000)));
    eventually("it is refused", () -> counters.get(Kind.MALFORMED) == 1);
    eventually("its room is free", () -> streams.heldBytes() == 0);
  }

  @Test
  void onlyMembersSendWhatIsLargeAndNoQuestion() throws IOException {
    LargeFrames large = new LargeFrames(true);
    IncomingStreams streams = streams(60_000, large);
    Message told = new Message.Contents(1, 0, 0, Bytes.of(new byte[FRAME_BYTES / 2]), "");
    DataOutputStream begun = connect();
    begun.writeInt(frame(List.of(told)).length);
    begun.write(frame(List.of(told)), 0, FrameCodec.KIND_BYTES);
    eventually("it is refused", () -> counters.get(Kind.STREAMS_REFUSED) == 1);
    eventually("its room is free", () -> streams.heldBytes() == 0);

    send(connect(), FRAME_BYTES);
    eventually("a request arrives", () -> streams.poll() != null);
    send(connect(), List.of(want(100)));
    eventually("what is small arrives", () -> streams.poll() != null);

    large.from(Set.of(new InetSocketAddress(listener.getInetAddress(), PORT)));
    send(connect(), List.of(told));
    eventually("a member's arrives", () -> streams.poll() != null);
  }

  @Test
  void anybodySendsRequestsOfSixteenMebibytesAndNoMore() {
    LargeFrames large = new LargeFrames(true);
    PeerAddress frontEnd =
        new PeerAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT));
    byte[] request = frame(List.of(request(100)));
    assertThat(large.admits(frontEnd, request, (16 << 20) + (1 << 10))).isTrue();
    assertThat(large.admits(frontEnd, request, 32 << 20)).isFalse();
    assertThat(new LargeFrames(false).admits(frontEnd, request, 32 << 20)).isTrue();
  }

  /** Without the state of the others it would answer for ever from one that is not theirs. */
  @Test
  void aFullMemoryEndsWhoeverTakesWhatAMemberSends() throws IOException {
    LargeFrames large = new LargeFrames(true);
    large.from(Set.of(new InetSocketAddress(listener.getInetAddress(), PORT)));
    IncomingStreams streams = streams(60_000, large, new OutOfMemoryError("Java heap space"));
    send(connect(), List.of(want(100)));
    eventually("it is refused", () -> counters.get(Kind.STREAMS_REFUSED) == 1);
    assertThatThrownBy(streams::poll).hasMessage("Java heap space");
  }

  @Test
  void whatOthersSendEndsNobody() throws IOException {
    IncomingStreams streams =
        streams(60_000, new LargeFrames(true), new OutOfMemoryError("Java heap space"));
    send(connect(), List.of(want(100)));
    eventually("it is refused", () -> counters.get(Kind.STREAMS_REFUSED) == 1);
    assertThat(streams.poll()).isNotNull();
    assertThat(streams.poll()).isNull();
  }

  /** With three frames, beside which there is no room for another one. */
  private void fill() throws IOException {
    for (int count = 1; count <= 3; count++) {
      int before = count;
      send(connect(), FRAME_BYTES);
      eventually(before + " wait", () -> counters.get(Kind.STREAM_FRAMES_RECEIVED) == before);
    }
  }

  private long closed() {
    return counters.get(Kind.STREAMS_BROKEN) + counters.get(Kind.STREAMS_REFUSED);
  }

  private IncomingStreams streams(int waitMillis) {
    return streams(waitMillis, new LargeFrames(false));
  }

  private IncomingStreams streams(int waitMillis, LargeFrames large) {
    return streams(waitMillis, large, null);
  }

  /** The error is met by the first frame that has arrived. */
  private IncomingStreams streams(
      int waitMillis, LargeFrames large, @Nullable OutOfMemoryError met) {
    AtomicReference<@Nullable OutOfMemoryError> next = new AtomicReference<>(met);
    IncomingStreams.Limits limits = new IncomingStreams.Limits(ROOM_BYTES, waitMillis);
    IncomingStreams streams =
        new IncomingStreams(
            listener,
            anyone -> true,
            large,
            new Doorplate(1),
            limits,
            () -> {
              OutOfMemoryError error = next.getAndSet(null);
              if (error != null) {
                throw error;
              }
            },
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
    out.writeShort(PORT);
    return out;
  }

  private boolean isClosed(DataOutputStream out) {
    try {
      out.write(0);
      return false;
    } catch (IOException closed) {
      return true;
    }
  }

  private static void send(DataOutputStream out, int bytes) throws IOException {
    send(out, List.of(request(bytes)));
  }

  private static void send(DataOutputStream out, List<Message> messages) throws IOException {
    byte[] frame = frame(messages);
    out.writeInt(frame.length);
    out.write(frame);
  }

  private static Message request(int bytes) {
    return new Message.Read(5, new RequestId(6, 1), new Call(0, Bytes.of(new byte[bytes])));
  }

  private static Message want(int clients) {
    return new Message.Want(
        5,
        6,
        LongStream.range(0, clients)
            .mapToObj(client -> new Message.ClientIds(client, new IntervalSet()))
            .toList());
  }

  private static byte[] frame(List<Message> messages) {
    ByteWriter frame = new ByteWriter(ROOM_BYTES);
    FrameCodec.begin(frame, 1, 2);
    messages.forEach(message -> FrameCodec.add(frame, message));
    FrameCodec.end(frame);
    return frame.toBytes().toArray();
  }
}
