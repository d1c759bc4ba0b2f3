package dev.tempest.runtime.frontend;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.FrontEndConfig;
import dev.tempest.protocol.NameHash;
import dev.tempest.protocol.frontend.Reads;
import dev.tempest.runtime.transport.Counters.Kind;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.EndpointConfig;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.Frame;
import dev.tempest.wire.Message;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One exchange, against a server that this test plays. */
class ExchangeTest {
  private static final long CLIENT = 6;
  private static final long SERVICE = 2;
  private static final int UPDATES = 8;

  private final Endpoint server = endpoint(3);
  private final Endpoint endpoint = endpoint(7);
  private final String name = server.address().toString();
  private final PendingCalls calls = new PendingCalls(UPDATES);
  private final MonotonicClock clock = MonotonicClock.ofProcess();
  private final Exchange exchange =
      new Exchange(
          new NetworkChannel(
              FrontEndConfig.builder(name).multicastPort(0).build(),
              PeerAddress::all,
              local -> endpoint,
              clock),
          7,
          clock,
          calls,
          Runnable::run);
  private int answered;

  @AfterEach
  void close() {
    exchange.close();
    server.close();
  }

  @Test
  void afterAStallNothingIsAskedAgainWhoseAnswerIsThere() {
    exchange.open(CLIENT, 1, 1);
    for (int i = 0; i < UPDATES; i++) {
      update();
    }
    eventually("the server has answered all", () -> serve() == UPDATES);
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20)); // All are due to be sent again.
    long sent = endpoint.counters().get(Kind.DATAGRAMS_SENT);
    eventually("an answer is there", () -> turn() > 0);
    eventually("all answers are there", () -> calls.takeEnded().isEmpty() && turn() == 0);

    assertThat(calls.size()).isZero();
    assertThat(endpoint.counters().get(Kind.DATAGRAMS_SENT)).isEqualTo(sent);
  }

  @Test
  void whatIsDueIsDoneThoughMoreArrivesWithoutEnd() {
    exchange.open(CLIENT, 1, 1);
    update();
    eventually(
        "it is sent again",
        () -> {
          server.send(endpoint.address(), new Message.StatusRequest(1));
          server.send(endpoint.address(), new Message.StatusRequest(2));
          server.flush();
          turn();
          return endpoint.counters().get(Kind.DATAGRAMS_SENT) > 2;
        });
  }

  /** Each in a datagram of its own. */
  private void update() {
    PendingCall pending = PendingCall.callback(Runnable::run, ending -> {});
    assertThat(calls.reserve(1)).isTrue();
    Call call = new Call(0, Bytes.EMPTY);
    exchange.submit(
        calls.begin(pending),
        new Submission(CLIENT, SERVICE, true, call, Reads.of(1), null),
        clock.nowNanos() + TimeUnit.MINUTES.toNanos(1));
    exchange.flush();
  }

  private int turn() {
    exchange.await(0);
    int received = exchange.turn(1);
    exchange.flush();
    return received;
  }

  private int serve() {
    server.await(1);
    server.receive(64, this::answer);
    return answered;
  }

  private void answer(PeerAddress from, Frame frame) {
    for (Message message : frame.messages()) {
      if (message instanceof Message.Update update) {
        Answer answer = new Answer.Returned(Bytes.EMPTY);
        long self = NameHash.of(name);
        server.send(
            from, new Message.Reply(SERVICE, update.id(), true, self, update.part(), 0, answer));
        server.flush(); // In a datagram of its own.
        answered++;
      }
    }
  }

  private static Endpoint endpoint(long sender) {
    return Endpoint.open(new EndpointConfig(InetAddress.getLoopbackAddress(), 0, 0, sender, 0, 0));
  }
}
