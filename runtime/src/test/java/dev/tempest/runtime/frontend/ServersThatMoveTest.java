package dev.tempest.runtime.frontend;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.FrontEndConfig;
import dev.tempest.protocol.frontend.Reads;
import dev.tempest.protocol.frontend.Requests.Completion;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A front-end whose servers have names, and change their addresses. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServersThatMoveTest {
  private static final long CLUSTER = 1;
  private static final long SERVICE = 2;
  private static final long CLIENT = 6;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final List<Server> running = new ArrayList<>();
  private final Map<String, List<PeerAddress>> names = new ConcurrentHashMap<>();
  private final AtomicInteger lookUps = new AtomicInteger();
  private volatile CountDownLatch nameService = new CountDownLatch(0);

  @AfterEach
  void stop() throws InterruptedException {
    nameService.countDown();
    for (Server server : running) {
      server.close();
    }
  }

  @Test
  void aCallUnderWayReachesTheNewAddress() throws InterruptedException {
    Server old = start("srv:1");
    try (Driver driver = driver(1, "srv:1")) {
      for (int i = 0; i < 100; i++) {
        assertThat(isAnswered(driver, PATIENCE)).isTrue();
      }
      // A reply that comes late, as on a busy machine, is a reason to look; a call is none.
      assertThat(lookUps).as("looked up for 100 calls").hasValueLessThan(10);
      old.close();
      start("srv:1");
      assertThat(isAnswered(driver, PATIENCE)).isTrue();
      assertThat(isAnswered(driver, PATIENCE)).isTrue();
    }
  }

  @Test
  void callsWithDeadlinesTooShortForASecondAttemptReachItInTheEnd() throws InterruptedException {
    Server old = start("srv:1");
    try (Driver driver = driver(1, "srv:1")) {
      old.close();
      start("srv:1");
      eventually("an answer", () -> isAnswered(driver, Duration.ofMillis(10)));
    }
  }

  @Test
  void allAddressesOfANameAreServers() throws InterruptedException {
    Server one = start("one:1");
    Server other = start("other:1");
    names.put("pods:1", List.of(one.address(), other.address()));
    try (Driver driver = driver(2, "pods:1")) {
      assertThat(isAnswered(driver, PATIENCE)).isTrue();
    }
    assertThat(one.executed).isPositive();
    assertThat(other.executed).isPositive();
  }

  @Test
  void aNameThatIsUnknownForAWhileKeepsItsAddress() throws InterruptedException {
    Server server = start("srv:1");
    try (Driver driver = driver(1, "srv:1")) {
      names.clear();
      server.silent = true;
      eventually(
          "it is looked up in vain",
          () -> !isAnswered(driver, Duration.ofMillis(100)) && lookUps.get() > 1);
      server.silent = false;
      assertThat(isAnswered(driver, PATIENCE)).isTrue();
    }
  }

  @Test
  void aNameServiceThatHangsHoldsUpNoCall() throws InterruptedException {
    start("live:1");
    Server dead = start("dead:1");
    try (Driver driver = driver(1, "live:1", "dead:1")) {
      nameService = new CountDownLatch(1);
      dead.close();
      eventually(
          "the dead one is asked for",
          () -> {
            assertThat(isAnswered(driver, PATIENCE)).isTrue();
            return lookUps.get() > 2;
          });
      for (int i = 0; i < 100; i++) {
        assertThat(isAnswered(driver, PATIENCE)).isTrue();
      }
    }
  }

  private Server start(String name) {
    Server server = new Server(running.size());
    running.add(server);
    names.put(name, List.of(server.address()));
    return server;
  }

  private static boolean isAnswered(Driver driver, Duration patience) throws InterruptedException {
    Submission update =
        new Submission(CLIENT, SERVICE, true, new Call(0, Bytes.EMPTY), Reads.of(1), null);
    return driver.request(update, patience.toNanos())
        instanceof Ending.OfRequest(Completion.Answered answered);
  }

  private Driver driver(int acks, String... servers) {
    FrontEndConfig config = FrontEndConfig.builder(servers).multicastPort(0).acks(acks).build();
    MonotonicClock clock = MonotonicClock.ofProcess();
    Channel channel = new NetworkChannel(config, this::lookUp, local -> endpoint(7), clock);
    Driver driver = new Driver(channel, 7, clock);
    driver.open(CLIENT, config);
    return driver;
  }

  private List<PeerAddress> lookUp(String name) {
    lookUps.incrementAndGet();
    try {
      nameService.await();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
    List<PeerAddress> addresses = names.get(name);
    if (addresses == null) {
      throw new IllegalArgumentException("unknown: " + name);
    }
    return addresses;
  }

  private static Endpoint endpoint(long sender) {
    return Endpoint.open(
        new EndpointConfig(InetAddress.getLoopbackAddress(), 0, CLUSTER, sender, 0, 0));
  }

  /** Answers updates until it is closed. */
  private static final class Server extends Thread {
    private final long id;
    private final Endpoint endpoint = ServersThatMoveTest.endpoint(3);
    volatile boolean silent;
    volatile int executed;

    Server(int number) {
      id = 1_000L + number;
      start();
    }

    PeerAddress address() {
      return endpoint.address();
    }

    void close() throws InterruptedException {
      endpoint.close();
      join();
    }

    @Override
    public void run() {
      while (endpoint.await(Long.MAX_VALUE)) {
        while (endpoint.receive(16, this::answer) > 0) {
          endpoint.flush();
        }
      }
    }

    private void answer(PeerAddress from, Frame frame) {
      for (Message message : frame.messages()) {
        if (message instanceof Message.Update update && !silent) {
          executed = 1;
          Answer answer = new Answer.Returned(Bytes.EMPTY);
          endpoint.send(
              from, new Message.Reply(SERVICE, update.id(), true, id, update.part(), 0, answer));
        }
      }
    }
  }
}
