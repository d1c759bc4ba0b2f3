package dev.tempest.runtime.frontend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.FrontEndConfig;
import dev.tempest.protocol.NameHash;
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
import dev.tempest.wire.OrderPart;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads at one driver, against a server that answers with what it was asked. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DriverTest {
  private static final long CLUSTER = 1;
  private static final long SERVICE = 2;
  private static final long CLIENT = 6;
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);

  private final Endpoint server = endpoint(3);
  private final String name = server.address().toString();
  private final Driver driver = driver();
  private final Thread echo = new Thread(this::echo);
  private volatile boolean silent;
  private volatile boolean atOnce;
  private Executor executor = Thread::startVirtualThread;

  @BeforeEach
  void startServer() {
    echo.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    driver.close();
    server.close();
    echo.join();
  }

  @ParameterizedTest(name = "virtual threads {0}")
  @ValueSource(booleans = {true, false})
  void everyCallerGetsItsOwnAnswer(boolean virtual) throws Exception {
    try (ExecutorService callers =
        virtual ? Executors.newVirtualThreadPerTaskExecutor() : Executors.newFixedThreadPool(50)) {
      List<Future<Boolean>> answers = new ArrayList<>();
      List<CompletableFuture<Bytes>> asynchronous = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        Bytes own = bytes("caller " + i);
        answers.add(callers.submit(() -> askOften(own, 20)));
        asynchronous.add(ask(bytes("asynchronous " + i)));
      }
      for (int i = 0; i < 200; i++) {
        assertThat(answers.get(i).get()).isTrue();
        assertThat(asynchronous.get(i).join()).isEqualTo(bytes("asynchronous " + i));
      }
    }
  }

  @Test
  void whereTheServerHearsNoGroupUpdatesSoonReachItAtOnce() throws InterruptedException {
    Driver other = driver(ThreadLocalRandom.current().nextInt(20_000, 30_000));
    try {
      for (int i = 0; i < 50 && !atOnce; i++) {
        Bytes own = bytes("update " + i);
        assertThat(resultOf(other.request(update(own), PATIENCE_NANOS))).isEqualTo(own);
      }
      assertThat(atOnce).isTrue();
    } finally {
      other.close();
    }
  }

  @Test
  void asynchronousCallsAfterEachOtherNeedNoCaller() {
    CompletableFuture<Bytes> chain = ask(bytes("0"));
    for (int i = 1; i < 500; i++) {
      Bytes next = bytes("" + i);
      chain = chain.thenCompose(answer -> ask(next));
    }
    assertThat(chain.join()).isEqualTo(bytes("499"));
  }

  @Test
  void whatDependsOnAnswersMayMakeCallsThatWait() {
    List<CompletableFuture<Boolean>> nested = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      Bytes inner = bytes("inner " + i);
      nested.add(ask(bytes("outer " + i)).thenApply(answer -> askOften(inner, 1)));
    }
    assertThat(nested).allMatch(CompletableFuture::join);
  }

  @Test
  void whatDependsOnAnAnswerMayTakeItsTime() {
    CountDownLatch goOn = new CountDownLatch(1);
    CompletableFuture<Boolean> slow = new CompletableFuture<>();
    request(bytes("slow"), ending -> slow.complete(await(goOn)));

    assertThat(askOften(bytes("waiting"), 3)).isTrue();
    assertThat(ask(bytes("asynchronous")).join()).isEqualTo(bytes("asynchronous"));
    goOn.countDown();
    assertThat(slow.join()).isTrue();
  }

  @Test
  void whatFailsOnTheDrivingThreadKeepsNobodyFromItsAnswer() {
    executor = Runnable::run;
    silent = true;
    List<CompletableFuture<Bytes>> answers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      request(
          bytes("fails"),
          ending -> {
            throw new StackOverflowError("of a test");
          });
      answers.add(ask(bytes("asynchronous " + i)));
    }
    silent = false;

    assertThat(askOften(bytes("waiting"), 3)).isTrue();
    for (int i = 0; i < 5; i++) {
      assertThat(answers.get(i).join()).isEqualTo(bytes("asynchronous " + i));
    }
  }

  @Test
  void noCallerWaitsLongerThanItSaidThoughTheDrivingThreadIsHeldUp() throws Exception {
    executor = Runnable::run;
    CountDownLatch heldUp = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    request(
        bytes("holds up"),
        ending -> {
          heldUp.countDown();
          await(goOn);
        });
    await(heldUp);

    assertThat(driver.request(update(bytes("late")), TimeUnit.MILLISECONDS.toNanos(20)))
        .isEqualTo(new Ending.OfRequest(new Completion.Unknown(1, null)));
    goOn.countDown();
    assertThat(askOften(bytes("afterwards"), 3)).isTrue();
  }

  @Test
  void theDrivingThreadIsToldThatItCannotWait() {
    executor = Runnable::run;
    CompletableFuture<Ending> waits = new CompletableFuture<>();
    request(
        bytes("outer"),
        ending -> {
          try {
            waits.complete(driver.request(update(bytes("inner")), PATIENCE_NANOS));
          } catch (InterruptedException | IllegalStateException refused) {
            waits.completeExceptionally(refused);
          }
        });

    assertThatThrownBy(waits::join)
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("must not wait for one");
  }

  @Test
  void aCallerWithoutRoomOnItsStackHarmsNobody() throws Exception {
    Thread deep = new Thread(null, () -> askDeeper(0), "deep", 256 << 10);
    deep.start();
    CompletableFuture<Bytes> beside = ask(bytes("beside"));
    deep.join();

    assertThat(beside.join()).isEqualTo(bytes("beside"));
    assertThat(askOften(bytes("afterwards"), 40)).isTrue();
  }

  @SuppressWarnings("InfiniteRecursion") // It ends where the stack does.
  private int askDeeper(int depth) {
    try {
      askOften(bytes("deep"), 1);
      return askDeeper(depth + 1);
    } catch (StackOverflowError full) {
      return depth;
    }
  }

  @Test
  void anInterruptedDriverHandsOver() throws Exception {
    silent = true;
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread first =
        new Thread(() -> {
          try {
            driver.request(
                new Submission(CLIENT, SERVICE, true, call(bytes("first")), Reads.of(1), null),
                PATIENCE_NANOS);
          } catch (InterruptedException stopped) {
            interrupted.complete(true);
          }
        });
    first.start();
    CompletableFuture<Bytes> later = ask(bytes("later"));
    first.interrupt();
    first.join();
    silent = false;

    assertThat(interrupted.join()).isTrue();
    assertThat(later.join()).isEqualTo(bytes("later"));
    assertThat(askOften(bytes("third"), 1)).isTrue();
  }

  @Test
  void deadlinesPassForCallersAndForCallbacks() throws Exception {
    silent = true;
    CompletableFuture<Ending> asynchronous = new CompletableFuture<>();
    long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(60);
    driver.request(
        new Submission(CLIENT, SERVICE, true, call(Bytes.EMPTY), Reads.of(1), null),
        timeoutNanos,
        Runnable::run,
        asynchronous::complete);

    assertThat(
            driver.request(
                new Submission(CLIENT, SERVICE, false, call(Bytes.EMPTY), Reads.of(1), null),
                timeoutNanos))
        .isInstanceOf(Ending.NeverHeard.class);
    assertThat(asynchronous.join()).isInstanceOf(Ending.NeverHeard.class);
  }

  @Test
  void closingReleasesEveryCaller() throws Exception {
    silent = true;
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Ending>> endings = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        endings.add(
            callers.submit(() ->
                driver.request(
                    new Submission(CLIENT, SERVICE, true, call(Bytes.EMPTY), Reads.of(1), null),
                    PATIENCE_NANOS)));
      }
      driver.close();
      for (Future<Ending> ending : endings) {
        assertThat(ending.get()).isEqualTo(new Ending.Closed());
      }
    }
  }

  private Boolean askOften(Bytes own, int times) {
    boolean all = true;
    for (int i = 0; i < times; i++) {
      Ending ending;
      try {
        ending =
            driver.request(
                new Submission(CLIENT, SERVICE, i % 2 == 0, call(own), Reads.of(1), null),
                PATIENCE_NANOS);
      } catch (InterruptedException stopped) {
        throw new AssertionError(stopped);
      }
      all &= own.equals(resultOf(ending));
    }
    return all;
  }

  private CompletableFuture<Bytes> ask(Bytes own) {
    CompletableFuture<Bytes> answer = new CompletableFuture<>();
    request(own, ending -> answer.complete(resultOf(ending)));
    return answer;
  }

  private void request(Bytes own, Consumer<Ending> then) {
    driver.request(update(own), PATIENCE_NANOS, executor, then);
  }

  private static Submission update(Bytes own) {
    return new Submission(CLIENT, SERVICE, true, call(own), Reads.of(1), null);
  }

  private static boolean await(CountDownLatch latch) {
    try {
      latch.await();
      return true;
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  private static Bytes resultOf(Ending ending) {
    return ending instanceof Ending.OfRequest(Completion.Answered(Answer.Returned(Bytes result)))
        ? result
        : bytes("no result but " + ending);
  }

  private static Call call(Bytes arguments) {
    return new Call(0, arguments);
  }

  private static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private Driver driver() {
    return driver(0);
  }

  private Driver driver(int multicastPort) {
    FrontEndConfig config =
        FrontEndConfig.builder(name)
            .multicastPort(multicastPort)
            .retryAfter(Duration.ofMillis(20))
            .build();
    MonotonicClock clock = MonotonicClock.ofProcess();
    Channel channel = new NetworkChannel(config, PeerAddress::all, local -> endpoint(7), clock);
    Driver opened = new Driver(channel, 7, clock);
    opened.open(CLIENT, config);
    return opened;
  }

  private static Endpoint endpoint(long sender) {
    return Endpoint.open(
        new EndpointConfig(InetAddress.getLoopbackAddress(), 0, CLUSTER, sender, 0, 0));
  }

  private void echo() {
    while (server.await(Long.MAX_VALUE)) {
      while (server.receive(16, this::answer) > 0) {
        server.flush();
      }
    }
  }

  private void answer(PeerAddress from, Frame frame) {
    for (Message message : frame.messages()) {
      long self = NameHash.of(name);
      if (silent) {
        continue;
      }
      if (message instanceof Message.Update update) {
        atOnce |= update.attempt() == 0;
        Answer answer = new Answer.Returned(update.call().arguments());
        server.send(
            from, new Message.Reply(SERVICE, update.id(), true, self, update.part(), 0, answer));
      } else if (message instanceof Message.Read read) {
        Answer answer = new Answer.Returned(read.call().arguments());
        server.send(
            from, new Message.Reply(SERVICE, read.id(), false, self, OrderPart.NONE, 0, answer));
      }
    }
  }
}
