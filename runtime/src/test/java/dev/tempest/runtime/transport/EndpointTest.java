package dev.tempest.runtime.transport;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tempest.runtime.transport.Counters.Kind;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import dev.tempest.wire.Frame;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EndpointTest {
  private static final long CLUSTER = 1;
  private static final long ONE_MILLI_NANOS = 1_000_000;

  private final List<Endpoint> open = new ArrayList<>();
  private final List<Message> received = new ArrayList<>();
  private final List<PeerAddress> from = new ArrayList<>();

  @AfterEach
  void close() {
    open.forEach(Endpoint::close);
  }

  @Test
  void aDatagramSaysWhereItsSenderIsReached() {
    Endpoint one = open(0);
    Endpoint other = open(0);
    one.send(other.address(), message(1, 10));
    one.flush();
    receiveUntil(other, 1);

    assertThat(received).containsExactly(message(1, 10));
    assertThat(from).containsExactly(one.address());
  }

  @Test
  void aStreamSaysTheSame() {
    Endpoint one = open(0);
    Endpoint other = open(0);
    one.send(other.address(), message(1, 1 << 20));
    one.send(other.address(), message(2, 2 << 20));
    one.flush();
    receiveUntil(other, 2);

    assertThat(received.equals(List.of(message(1, 1 << 20), message(2, 2 << 20)))).isTrue();
    assertThat(from).containsExactly(one.address(), one.address());
    assertThat(other.counters().get(Kind.DATAGRAMS_RECEIVED)).isZero();
  }

  @Test
  void aGroupReachesAllThatJoinedAndNobodyElse() {
    InetSocketAddress group =
        MulticastGroups.of(CLUSTER, 5, ThreadLocalRandom.current().nextInt(20_000, 30_000));
    Endpoint sender = open(0);
    Endpoint one = open(0);
    Endpoint two = open(0);
    Endpoint stranger = open(0);
    assertThat(one.join(group)).isTrue();
    assertThat(two.join(group)).isTrue();
    sender.multicast(group, List.of(), message(1, 10));
    sender.send(stranger.address(), message(2, 10));
    sender.flush();
    receiveUntil(one, 1);
    receiveUntil(two, 2);
    receiveUntil(stranger, 3);

    assertThat(received).containsExactly(message(1, 10), message(1, 10), message(2, 10));
    assertThat(sender.counters().get(Kind.DATAGRAMS_SENT)).isEqualTo(2);
  }

  /** As where its own address is public. */
  @Test
  void whatItSentToItsGroupItselfIsNoStrangers() throws IOException {
    InetSocketAddress group =
        MulticastGroups.of(CLUSTER, 5, ThreadLocalRandom.current().nextInt(20_000, 30_000));
    InetAddress loopback = InetAddress.getLoopbackAddress();
    Endpoint one =
        Endpoint.open(new EndpointConfig(loopback, 0, CLUSTER, 1, 0, 3, anyone -> false, true));
    open.add(one);
    Endpoint stranger = open(0);
    assertThat(one.join(group)).isTrue();
    one.multicast(group, List.of(), message(1, 10));
    one.flush();
    stranger.multicast(group, List.of(), message(2, 10));
    stranger.flush();
    eventually(
        "both",
        () -> {
          one.await(ONE_MILLI_NANOS);
          one.receive(10, (sender, frame) -> received.addAll(frame.messages()));
          return one.counters().get(Kind.DATAGRAMS_RECEIVED) == 2;
        });

    assertThat(received).isEmpty();
    assertThat(one.counters().get(Kind.STRANGERS)).isOne();
  }

  @Test
  void aPeerThatIsHeardApartIsHeardThroughAFloodAndFirst() throws IOException {
    Endpoint server = open(0);
    Endpoint peer = open(0);
    Endpoint stranger = open(0);
    assumeTrue(server.hearApart(peer.address()), "this system gives a peer no socket of its own");
    stranger.send(server.address(), message(3, 10));
    stranger.flush();
    try (DatagramSocket flood = new DatagramSocket()) {
      byte[] nonsense = new byte[1_000];
      for (int sent = 0; sent < 20_000; sent++) { // More than the server's socket can hold.
        flood.send(new DatagramPacket(nonsense, nonsense.length, server.address().socket()));
      }
    }
    peer.send(server.address(), message(1, 10));
    peer.flush();
    server.await(0);
    server.receive(1, (sender, frame) -> received.addAll(frame.messages()));

    assertThat(received).containsExactly(message(1, 10), message(3, 10));
    server.send(peer.address(), message(2, 10));
    server.flush();
    receiveUntil(peer, 2);
    assertThat(from).containsExactly(server.address());
  }

  @Test
  void whereMulticastFailsEachMemberGetsItsOwn() {
    // An IPv6 group cannot be reached from an IPv4 socket: the send fails.
    InetSocketAddress noGroup = new InetSocketAddress("ff05::1234", 4_321);
    Endpoint sender = open(0);
    Endpoint one = open(0);
    Endpoint two = open(0);
    List<InetSocketAddress> members = List.of(one.address().socket(), two.address().socket());
    sender.multicast(noGroup, members, message(1, 10));
    sender.multicast(noGroup, members, message(2, 1 << 20));
    sender.flush();
    receiveUntil(one, 2);
    receiveUntil(two, 4);

    assertThat(received).hasSize(4).contains(message(1, 10));
  }

  @Test
  void datagramsAreDroppedOnPurpose() {
    Endpoint sender = open(0);
    Endpoint deaf = open(100);
    sender.send(deaf.address(), message(1, 10));
    sender.flush();
    eventually(
        "dropped",
        () -> {
          deaf.await(ONE_MILLI_NANOS);
          deaf.receive(10, this::receive);
          return deaf.counters().get(Kind.DATAGRAMS_DROPPED) == 1;
        });

    assertThat(received).isEmpty();
  }

  @Test
  void aPeerThatWasAwayIsReachedAgain() {
    Endpoint sender = open(0);
    Endpoint first = open(0);
    PeerAddress peer = first.address();
    sender.send(peer, message(1, 1 << 20));
    sender.flush();
    receiveUntil(first, 1);
    first.close();
    open.remove(first);
    Endpoint again = open(0, peer.socket().getPort());
    eventually(
        "a stream to the peer that came back",
        () -> {
          sender.send(peer, message(2, 1 << 20));
          sender.flush();
          again.await(10 * ONE_MILLI_NANOS);
          again.receive(10, this::receive);
          return received.size() > 1;
        });

    assertThat(received.get(1).equals(message(2, 1 << 20))).isTrue();
  }

  @Test
  void aStreamThatPromisesTooMuchIsClosedWithoutTheMemory() throws IOException {
    Endpoint endpoint = open(0);
    try (Socket socket = connect(endpoint)) {
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(OutgoingStreams.MAGIC);
      out.writeShort(1);
      out.writeInt(Endpoint.FRAME_MAX_BYTES + 1);
      out.flush();

      assertThat(socket.getInputStream().read()).isNegative();
    }
    assertThat(endpoint.counters().get(Kind.MALFORMED)).isOne();
  }

  @Test
  void aWakeupBeforeTheWaitIsNotLost() {
    Endpoint endpoint = open(0);
    endpoint.wakeup();

    assertThat(endpoint.await(Long.MAX_VALUE)).isTrue();
  }

  @Test
  void closingEndsAWait() throws InterruptedException {
    Endpoint endpoint = open(0);
    List<Boolean> stillOpen = new ArrayList<>();
    Thread waiting = new Thread(() -> stillOpen.add(endpoint.await(Long.MAX_VALUE)));
    waiting.start();
    endpoint.close();
    waiting.join();

    assertThat(stillOpen).containsExactly(false);
  }

  private static Socket connect(Endpoint endpoint) throws IOException {
    InetSocketAddress socket = endpoint.address().socket();
    return new Socket(socket.getAddress(), socket.getPort());
  }

  private void receiveUntil(Endpoint endpoint, int count) {
    eventually(
        count + " messages",
        () -> {
          endpoint.await(ONE_MILLI_NANOS);
          endpoint.receive(10, this::receive);
          return received.size() >= count;
        });
  }

  private void receive(PeerAddress peer, Frame frame) {
    for (Message message : frame.messages()) {
      received.add(message);
      from.add(peer);
    }
  }

  private Endpoint open(double dropPercent) {
    return open(dropPercent, 0);
  }

  private Endpoint open(double dropPercent, int port) {
    Endpoint endpoint =
        Endpoint.open(
            new EndpointConfig(
                InetAddress.getLoopbackAddress(), port, CLUSTER, open.size(), dropPercent, 3));
    open.add(endpoint);
    return endpoint;
  }

  private static Message message(long sequence, int size) {
    return new Message.Read(5, new RequestId(6, sequence), new Call(0, Bytes.of(new byte[size])));
  }
}
