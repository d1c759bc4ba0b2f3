package dev.tempest.runtime.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever asks in the name of another address makes nobody send much there. */
final class ForgedAddressTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final long CLUSTER = 1;
  private static final long SENDER = 9;
  private static final int LARGE = 1_000;
  private static final int SILENCE_MILLIS = 100;

  private final Endpoint asked =
      Endpoint.open(new EndpointConfig(HERE, 0, CLUSTER, 7, 0, 0, anyone -> true, true));
  private final DatagramSocket asker;
  private final List<Message> heard = new ArrayList<>();
  private int sentBytes;
  private int gotBytes;

  ForgedAddressTest() throws SocketException {
    asker = new DatagramSocket(0, HERE);
    asker.setSoTimeout(SILENCE_MILLIS);
  }

  @AfterEach
  void close() {
    asker.close();
    asked.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 100})
  void anAddressThatIsNotProvenGetsAtMostThreeTimesWhatCameFromIt(int questions)
      throws IOException {
    for (int i = 0; i < questions; i++) {
      send(new Message.StatusRequest(i));
      answerAll(LARGE);
    }
    receiveAll();
    assertThat(gotBytes).isPositive().isLessThanOrEqualTo(3 * sentBytes);
  }

  @Test
  void manyQuestionsInOneDatagramAreNoMoreThanOne() throws IOException {
    Message[] questions = new Message[1_000];
    for (int i = 0; i < questions.length; i++) {
      questions[i] = new Message.StatusRequest(i);
    }
    send(questions);
    answerAll(LARGE);
    receiveAll();
    assertThat(gotBytes).isPositive().isLessThanOrEqualTo(3 * sentBytes);
  }

  @Test
  void whoProvesItsAddressGetsAllAndPaysNothingFromThenOn() throws IOException {
    send(new Message.StatusRequest(1));
    answerAll(LARGE);
    send(proof());
    answerAll(LARGE);
    receiveAll();
    assertThat(heard).last().isEqualTo(answer(LARGE));

    heard.clear();
    send(new Message.StatusRequest(2));
    answerAll(LARGE);
    receiveAll();
    assertThat(heard).containsExactly(answer(LARGE));
  }

  @Test
  void aTokenOfAnotherAddressProvesNothing() throws IOException {
    send(new Message.StatusRequest(1));
    answerAll(LARGE);
    Message.AddressProof right = proof();
    heard.clear();
    byte[] other = right.address().toArray();
    other[other.length - 1] ^= 1;
    send(new Message.AddressProof(Bytes.of(other), right.token()));
    send(new Message.AddressProof(right.address(), right.token() + 1));
    send(new Message.AddressProof(Bytes.EMPTY, right.token()));
    answerAll(LARGE);
    receiveAll();
    assertThat(heard).doesNotContain(answer(LARGE));
  }

  /** Behind a translated port, or with several networks. */
  @Test
  void aProcessThatSendsFromElsewhereIsWhereItReturnsTheTokenOfIfItSaysSo() throws IOException {
    try (DatagramSocket elsewhere = new DatagramSocket(0, HERE)) {
      asked.send(new PeerAddress(address(asker)), answer(LARGE));
      asked.flush();
      send(elsewhere, proof());
      send(elsewhere, new Message.Probe(recordAt(asker), false));
      List<PeerAddress> from = answerAll(LARGE);
      receiveAll();
      assertThat(from).extracting(PeerAddress::socket).containsExactly(address(asker));
      assertThat(heard).endsWith(answer(LARGE), answer(LARGE));
    }
  }

  /** A datagram of 41 bytes in the name of a member, which is what this one is to the asked. */
  @Test
  void whoReturnsItsTokenInTheNameOfAnotherDoesNotTakeItsPlace() throws IOException {
    try (DatagramSocket other = new DatagramSocket(0, HERE)) {
      other.setSoTimeout(SILENCE_MILLIS);
      send(new Message.StatusRequest(1));
      answerAll(LARGE);
      Message.AddressProof stolen = proof();

      send(other, stolen);
      send(other, new Message.StatusRequest(2));
      assertThat(answerAll(LARGE)).extracting(PeerAddress::socket).containsExactly(address(other));
      send(other, proof(other));
      answerAll(LARGE);

      send(other, stolen);
      send(other, new Message.Probe(recordAt(other), false));
      send(other, new Message.HostingRequest());
      assertThat(answerAll(LARGE))
          .extracting(PeerAddress::socket)
          .containsExactly(address(other), address(other));
    }
  }

  @Test
  void whatSomebodySaidBeforeItProvedItsAddressIsNotLostToOneThatReturnsATokenInItsName()
      throws IOException {
    try (DatagramSocket other = new DatagramSocket(0, HERE)) {
      other.setSoTimeout(SILENCE_MILLIS);
      send(new Message.StatusRequest(1));
      answerAll(LARGE);
      Message.AddressProof stolen = proof();

      send(other, new Message.Probe(recordAt(other), false));
      send(other, stolen);
      assertThat(answerAll(LARGE)).isEmpty();
      send(other, proof(other));
      assertThat(answerAll(LARGE)).extracting(PeerAddress::socket).containsExactly(address(other));
    }
  }

  /** Also what says nothing of the sender itself, as what replicas say. */
  @Test
  void aMemberThatSendsFromElsewhereIsKnownByItsIdAndNobodyTakesItsPlace() throws IOException {
    try (DatagramSocket elsewhere = new DatagramSocket(0, HERE)) {
      elsewhere.setSoTimeout(SILENCE_MILLIS);
      send(new Message.StatusRequest(1));
      answerAll(LARGE);
      Message.AddressProof ofMember = proof();
      send(elsewhere, new Message.StatusRequest(1));
      answerAll(LARGE);
      Message.AddressProof ofElsewhere = proof(elsewhere);

      asked.membersAt(Map.of(SENDER, address(asker)));
      send(elsewhere, ofMember);
      send(elsewhere, ofElsewhere);
      send(elsewhere, new Message.HostingRequest());
      assertThat(answerAll(LARGE)).extracting(PeerAddress::socket).containsExactly(address(asker));

      asked.membersAt(Map.of(SENDER, address(elsewhere)));
      send(elsewhere, new Message.HostingRequest());
      assertThat(answerAll(LARGE))
          .extracting(PeerAddress::socket)
          .containsExactly(address(elsewhere));
    }
  }

  /** A reading keeps a version of the state in memory. */
  @Test
  void whoReadsContentsProvesItsAddressFirst() throws IOException {
    send(new Message.ContentsRequest(1, "board", 1, Bytes.EMPTY));
    assertThat(answerAll(1)).isEmpty();
    send(proof());
    assertThat(answerAll(1)).extracting(PeerAddress::socket).containsExactly(address(asker));
  }

  @Test
  void anEndpointThatAsksProvesItsAddressByItself() {
    try (Endpoint front = Endpoint.open(new EndpointConfig(HERE, 0, CLUSTER, 8, 0, 0))) {
      front.send(asked.address(), new Message.StatusRequest(1));
      front.flush();
      List<Message> answers = new ArrayList<>();
      for (int turn = 0; turn < 10 && answers.isEmpty(); turn++) {
        answerAll(LARGE);
        front.await(SILENCE_MILLIS * 1_000_000L);
        front.receive(100, (from, frame) -> answers.addAll(frame.messages()));
      }
      assertThat(answers).containsExactly(answer(LARGE));
    }
  }

  private static Message answer(int size) {
    return new Message.Read(5, new RequestId(6, 1), new Call(0, Bytes.of(new byte[size])));
  }

  /** Answers every question that has arrived with so many bytes; who asked. */
  private List<PeerAddress> answerAll(int size) {
    List<PeerAddress> askers = new ArrayList<>();
    asked.await(SILENCE_MILLIS * 1_000_000L);
    asked.receive(
        1_000,
        (from, frame) -> {
          askers.addAll(Collections.nCopies(frame.messages().size(), from));
          frame.messages().forEach(question -> asked.send(from, answer(size)));
        });
    asked.flush();
    return askers;
  }

  /** What the asker returns to the challenge that it got last. */
  private Message.AddressProof proof() throws IOException {
    receiveAll();
    Message.AddressChallenge challenge =
        (Message.AddressChallenge) Objects.requireNonNull(heard.getLast());
    return new Message.AddressProof(challenge.address(), challenge.token());
  }

  /** What another one returns to its first challenge. */
  private Message.AddressProof proof(DatagramSocket challenged) throws IOException {
    while (true) {
      for (Message message : receive(challenged)) {
        if (message instanceof Message.AddressChallenge challenge) {
          return new Message.AddressProof(challenge.address(), challenge.token());
        }
      }
    }
  }

  private static InetSocketAddress address(DatagramSocket socket) {
    return (InetSocketAddress) socket.getLocalSocketAddress();
  }

  private static Message.MemberRecord recordAt(DatagramSocket socket) {
    return new Message.MemberRecord(
        SENDER, Message.MemberState.PRESENT, 1, 0, new PeerAddress(address(socket)).toString(), "");
  }

  private void send(Message... messages) throws IOException {
    sentBytes += send(asker, messages);
  }

  private int send(DatagramSocket from, Message... messages) throws IOException {
    byte[] frame = bytes(messages);
    from.send(new DatagramPacket(frame, frame.length, asked.address().socket()));
    return frame.length;
  }

  private static byte[] bytes(Message... messages) {
    ByteWriter writer = new ByteWriter(1 << 16);
    FrameCodec.begin(writer, CLUSTER, SENDER);
    for (Message message : messages) {
      FrameCodec.add(writer, message);
    }
    FrameCodec.end(writer);
    return writer.toBytes().toArray();
  }

  private void receiveAll() throws IOException {
    try {
      while (true) {
        heard.addAll(receive(asker));
      }
    } catch (SocketTimeoutException silence) {
      return;
    }
  }

  private List<Message> receive(DatagramSocket socket) throws IOException {
    DatagramPacket packet = new DatagramPacket(new byte[1 << 16], 1 << 16);
    socket.receive(packet);
    gotBytes += socket.equals(asker) ? packet.getLength() : 0;
    return FrameCodec.read(new ByteReader(packet.getData(), 0, packet.getLength())).messages();
  }
}
