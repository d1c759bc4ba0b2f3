package dev.tempest.runtime.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import dev.tempest.wire.Frame;
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
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever asks in the name of another address makes nobody send much there. */
final class ForgedAddressTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final long CLUSTER = 1;
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
    receiveAll();
    Message.AddressChallenge challenge =
        (Message.AddressChallenge) Objects.requireNonNull(heard.getLast());
    send(new Message.AddressProof(challenge.address(), challenge.token()));
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
    receiveAll();
    Message.AddressChallenge challenge =
        (Message.AddressChallenge) Objects.requireNonNull(heard.getLast());
    heard.clear();
    byte[] other = challenge.address().toArray();
    other[other.length - 1] ^= 1;
    send(new Message.AddressProof(Bytes.of(other), challenge.token()));
    send(new Message.AddressProof(challenge.address(), challenge.token() + 1));
    send(new Message.AddressProof(Bytes.EMPTY, challenge.token()));
    answerAll(LARGE);
    receiveAll();
    assertThat(heard).doesNotContain(answer(LARGE));
  }

  /** Behind a translated port, or with several networks. */
  @Test
  void whoSendsFromElsewhereIsWhereItReturnsTheTokenOf() throws IOException {
    try (DatagramSocket elsewhere = new DatagramSocket(0, HERE)) {
      asked.send(new PeerAddress((InetSocketAddress) asker.getLocalSocketAddress()), answer(LARGE));
      asked.flush();
      receiveAll();
      Message.AddressChallenge challenge =
          (Message.AddressChallenge) Objects.requireNonNull(heard.getLast());
      byte[] proof = bytes(new Message.AddressProof(challenge.address(), challenge.token()));
      elsewhere.send(new DatagramPacket(proof, proof.length, asked.address().socket()));
      byte[] question = bytes(new Message.StatusRequest(1));
      elsewhere.send(new DatagramPacket(question, question.length, asked.address().socket()));
      List<PeerAddress> from = answerAll(LARGE);
      receiveAll();
      assertThat(from)
          .extracting(PeerAddress::socket)
          .containsExactly((InetSocketAddress) asker.getLocalSocketAddress());
      assertThat(heard).endsWith(answer(LARGE), answer(LARGE));
    }
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

  private void send(Message... messages) throws IOException {
    byte[] frame = bytes(messages);
    asker.send(new DatagramPacket(frame, frame.length, asked.address().socket()));
    sentBytes += frame.length;
  }

  private static byte[] bytes(Message... messages) {
    ByteWriter writer = new ByteWriter(1 << 16);
    FrameCodec.begin(writer, CLUSTER, 9);
    for (Message message : messages) {
      FrameCodec.add(writer, message);
    }
    FrameCodec.end(writer);
    return writer.toBytes().toArray();
  }

  private void receiveAll() throws IOException {
    DatagramPacket packet = new DatagramPacket(new byte[1 << 16], 1 << 16);
    try {
      while (true) {
        asker.receive(packet);
        gotBytes += packet.getLength();
        Frame frame = FrameCodec.read(new ByteReader(packet.getData(), 0, packet.getLength()));
        heard.addAll(frame.messages());
      }
    } catch (SocketTimeoutException silence) {
      return;
    }
  }
}
