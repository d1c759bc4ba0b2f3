package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.NameHash;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.state.versioned.Assembly;
import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import dev.tempest.wire.Frame;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.MemberRecord;
import dev.tempest.wire.Message.MemberState;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Wish;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two servers and a stranger that can send them what it likes, and proves nothing. */
@Timeout(120)
final class HostileSenderTest {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final int SILENCE_MILLIS = 150;
  private static final int DATAGRAM_MAX_BYTES = 16_000;

  private final DatagramSocket stranger;
  private final TestCluster cluster;
  private final List<MemberRecord> members = new ArrayList<>();

  HostileSenderTest() throws IOException, InterruptedException {
    stranger = new DatagramSocket(0, LOOPBACK);
    stranger.setSoTimeout(SILENCE_MILLIS);
    cluster = TestCluster.of(2, false);
  }

  /** Anybody can ask for these: whoever proves its address is told. */
  @BeforeEach
  void learnTheMembers() throws IOException {
    try (DatagramSocket spy = new DatagramSocket(0, LOOPBACK)) {
      spy.setSoTimeout(Math.toIntExact(TestCluster.PATIENCE.toMillis()));
      MemberRecord self = present(99, spy.getLocalPort());
      send(spy, new Message.Probe(self, false));
      Message.AddressChallenge asked = first(Message.AddressChallenge.class, spy);
      send(spy, new Message.AddressProof(asked.address(), asked.token()));
      while (!members.stream().map(MemberRecord::address).toList().containsAll(cluster.servers)) {
        Message.Roster roster = first(Message.Roster.class, spy);
        members.add(roster.sender());
        members.addAll(roster.others());
      }
      send(
          spy,
          new Message.Roster(
              record(99, MemberState.LEFT, 9, spy.getLocalPort()), List.of(), List.of()));
    }
    members.removeIf(each -> !cluster.servers.contains(each.address()));
  }

  @AfterEach
  void close() {
    cluster.close();
    stranger.close();
  }

  static Stream<List<Message>> questions() {
    Message probe = new Message.Probe(present(7, 9), true);
    Message read = new Message.Read(1, new RequestId(5, 1), new Call(1, Bytes.EMPTY));
    return Stream.of(
        List.of(probe),
        Collections.nCopies(70, probe),
        List.of(new Message.HostingRequest()),
        Collections.nCopies(1_000, new Message.HostingRequest()),
        List.of(new Message.StatusRequest(1)),
        Collections.nCopies(1_000, new Message.StatusRequest(1)),
        List.of(new Message.DescribeRequest(1, "board")),
        Collections.nCopies(1_000, new Message.DescribeRequest(1, "board")),
        List.of(new Message.StateRequest(NameHash.of("board"), 7)),
        Collections.nCopies(1_000, new Message.StateRequest(NameHash.of("board"), 7)),
        List.of(read),
        Collections.nCopies(1_000, read));
  }

  @ParameterizedTest
  @MethodSource("questions")
  void noAnswerIsLargerThanThreeTimesTheQuestion(List<Message> questions)
      throws IOException, InterruptedException {
    int sent = send(stranger, questions.toArray(Message[]::new));
    assertThatAllWorks(); // By then it is answered, if it is at all.
    int got = 0;
    DatagramPacket packet = new DatagramPacket(new byte[1 << 16], 1 << 16);
    try {
      while (true) {
        stranger.receive(packet);
        got += packet.getLength();
      }
    } catch (SocketTimeoutException silence) {
      assertThat(got).isLessThanOrEqualTo(3 * sent);
    }
  }

  /** Also under the name of a member: it is at another address. */
  @Test
  void aStrangerGetsNoState() throws IOException, InterruptedException {
    assertThatAllWorks();
    long service = NameHash.of("board");
    Message.Prefix nothing = new Message.Prefix(-1, 0, 0);
    List<Wish> wishes =
        List.of(new Wish.OfVersion(Bytes.EMPTY), new Wish.OfClients(0), Wish.OfEntries.ALL);
    List<Message.ClientIds> written =
        members.stream()
            .map(each -> new Message.ClientIds(each.id(), IntervalSet.of(1, 100)))
            .toList();
    List<Long> names = new ArrayList<>(List.of(7L));
    members.forEach(each -> names.add(each.id()));
    for (long id : names) {
      send(stranger, new Message.StateRequest(service, id));
      send(stranger, new Message.Want(service, id, written));
      for (Wish wish : wishes) {
        send(stranger, new Message.PieceRequest(service, id, nothing, wish));
        send(stranger, new Message.OfLog(service, id, new LogMessage.StateWish(0, wish)));
      }
    }
    assertThatAllWorks();
    assertThat(receiveAll(stranger)).noneMatch(Message.ReplicaMessage.class::isInstance);
  }

  @Test
  void aForgedGoodbyeIsNotBelieved() throws IOException, InterruptedException {
    for (long heartbeat : new long[] {1_000, 1 << 20, 1L << 48, Long.MAX_VALUE}) {
      for (MemberRecord member : members) {
        MemberRecord gone =
            new MemberRecord(
                member.id(), MemberState.LEFT, heartbeat, 1L << 48, member.address(), "");
        send(stranger, new Message.Roster(gone, members, List.of()));
        send(
            stranger,
            new Message.Roster(present(7, stranger.getLocalPort()), List.of(gone), List.of()));
      }
    }
    assertThatAllWorks();
  }

  @Test
  void aFloodOfEverythingStopsNobodyAndFillsNothing() throws IOException, InterruptedException {
    assertThatAllWorks();
    long beforeBytes = usedBytes();
    MemberRecord[] friends =
        LongStream.range(1_000, 1_500)
            .mapToObj(id -> present(id, (int) id))
            .toArray(MemberRecord[]::new);
    List<Message> large =
        List.of(
            new Message.Roster(present(7, stranger.getLocalPort()), List.of(friends), List.of()),
            new Message.Roster(present(8, 9), List.of(friends), List.of()));
    for (int round = 0; round < 1_000; round++) {
      send(stranger, large.get(round % 2));
      send(
          stranger,
          Collections.nCopies(4_000, new Message.StatusRequest(round)).toArray(Message[]::new));
      send(
          stranger,
          Collections.nCopies(10_000, new Message.HostingRequest()).toArray(Message[]::new));
      send(
          stranger,
          Collections.nCopies(1_000, new Message.Probe(present(round, 9), false))
              .toArray(Message[]::new));
      send(stranger, new Message.AddressProof(Bytes.of(new byte[6]), round));
      if (round % 100 == 0) {
        assertThatAllWorks();
      }
    }
    assertThatAllWorks();
    assertThat(cluster.nodes)
        .allSatisfy(node ->
            assertThat(node.members()).containsExactlyInAnyOrderElementsOf(cluster.servers));
    assertThat(usedBytes() - beforeBytes).isLessThan(64 << 20);
  }

  /** Each takes about as long as a piece of a state. */
  @Test
  void noMoreThanSixteenReadingsOfOneDatagramAreMade() throws IOException, InterruptedException {
    send(stranger, new Message.ContentsRequest(1, "board", 1, Assembly.FIRST_WISH));
    Message.AddressChallenge asked = first(Message.AddressChallenge.class, stranger);
    send(stranger, new Message.AddressProof(asked.address(), asked.token()));
    Message question = new Message.ContentsRequest(1, "board", 1, Assembly.FIRST_WISH);
    send(stranger, Collections.nCopies(100, question).toArray(Message[]::new));
    assertThatAllWorks();
    assertThat(cluster.nodes.getFirst().counters()).containsEntry("UNEXPECTED", 84L);
  }

  private void assertThatAllWorks() throws InterruptedException {
    try (FrontEnd frontEnd = FrontEnd.connect(cluster.frontEndConfig().acks(2).build())) {
      assertThat(frontEnd.service(Board.class).add("a", 1)).isPositive();
    }
    for (LocalNode node : cluster.nodes) {
      assertThat(node.members()).containsAll(cluster.servers);
    }
  }

  private static long usedBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static MemberRecord present(long id, int port) {
    return record(id, MemberState.PRESENT, 5, port);
  }

  private static MemberRecord record(long id, MemberState state, long heartbeat, int port) {
    return new MemberRecord(id, state, heartbeat, 0, "127.0.0.1:" + port, "");
  }

  private int send(DatagramSocket from, Message... messages) throws IOException {
    ByteWriter writer = new ByteWriter(1 << 16);
    FrameCodec.begin(writer, NameHash.of("tempest"), 5);
    for (Message message : messages) {
      if (writer.size() < DATAGRAM_MAX_BYTES) {
        FrameCodec.add(writer, message);
      }
    }
    FrameCodec.end(writer);
    String server = cluster.servers.getFirst();
    int port = Integer.parseInt(server.substring(server.indexOf(':') + 1));
    from.send(
        new DatagramPacket(writer.array(), writer.size(), new InetSocketAddress(LOOPBACK, port)));
    return writer.size();
  }

  /** Waits for a message of that kind, whatever else comes before it. */
  private static <T extends Message> T first(Class<T> kind, DatagramSocket socket)
      throws IOException {
    while (true) {
      for (Message heard : receive(socket)) {
        if (kind.isInstance(heard)) {
          return kind.cast(heard);
        }
      }
    }
  }

  private static List<Message> receiveAll(DatagramSocket socket) throws IOException {
    List<Message> heard = new ArrayList<>();
    try {
      while (true) {
        heard.addAll(receive(socket));
      }
    } catch (SocketTimeoutException silence) {
      return heard;
    }
  }

  private static List<Message> receive(DatagramSocket socket) throws IOException {
    DatagramPacket packet = new DatagramPacket(new byte[1 << 16], 1 << 16);
    socket.receive(packet);
    Frame frame = FrameCodec.read(new ByteReader(packet.getData(), 0, packet.getLength()));
    return frame.messages();
  }
}
