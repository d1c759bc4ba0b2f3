package dev.tempest;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.Outcome.Reason;
import dev.tempest.runtime.FreePorts;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.State;
import dev.tempest.wire.Message.ServiceStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Composite requests against three servers with two boards and a service that dies. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CompositeTest {
  private static final Duration AMPLE = Duration.ofSeconds(30);

  /** Enough for an answer on a busy machine. */
  private static final Duration ENOUGH = Duration.ofSeconds(3);

  /** For what nobody answers. */
  private static final Duration SHORT = Duration.ofMillis(200);

  private static final int UPDATES_MAX = 1_024;

  private TestCluster cluster;
  private FrontEnd frontEnd;
  private Board left;
  private Board right;
  private Mortal mortal;

  /** A service that no replica of it survives when it is told to die. */
  interface Mortal {
    /** Kills every replica. */
    @Update
    int die();

    /** Something to ask while it lives. */
    @Read
    int pulse();
  }

  private record MortalService(State state) implements Mortal {
    @Override
    public int die() {
      return RobustnessTest.breakDown(state);
    }

    @Override
    public int pulse() {
      return 60;
    }
  }

  @BeforeEach
  void start() throws InterruptedException {
    cluster =
        TestCluster.of(
            3,
            true,
            () ->
                Map.of(
                    "Left", ServiceInstance.of(Board.class, BoardService::new),
                    "Right", ServiceInstance.of(Board.class, BoardService::new),
                    "Mortal", ServiceInstance.of(Mortal.class, MortalService::new)));
    frontEnd = cluster.frontEnd();
    left = frontEnd.service("Left", Board.class);
    right = frontEnd.service("Right", Board.class);
    mortal = frontEnd.service("Mortal", Mortal.class);
  }

  @AfterEach
  void stop() {
    frontEnd.close();
    cluster.close();
  }

  @ParameterizedTest(name = "asynchronous {0}")
  @ValueSource(booleans = {true, false})
  void manyServicesAnswerEachForItself(boolean asynchronous) {
    Request<Long> one = frontEnd.request(left, board -> board.add("a", 1));
    Request<Long> two = frontEnd.request(right, board -> board.add("a", 2));
    Request<String> note = frontEnd.request(right, board -> board.note("a"));

    Answers answers = all(asynchronous, AMPLE, one, two, note);

    assertThat(answers.of(one)).isEqualTo(new Outcome.Ok<>(1L));
    assertThat(answers.of(two).orElse(0L)).isEqualTo(2);
    assertThat(answers.of(note)).isEqualTo(new Outcome.Ok<String>(null));
    assertThat(answers.areWhole()).isTrue();
    assertThat(all(asynchronous, AMPLE, one).of(one)).isEqualTo(new Outcome.Ok<>(2L));
  }

  @Test
  void manyRequestsToOneServiceAreEachExecutedOnce() {
    List<Request<Long>> requests =
        IntStream.range(0, 200)
            .mapToObj(i -> frontEnd.<Board, Long>request(left, board -> board.add("sum", i)))
            .toList();

    Answers answers = frontEnd.all(AMPLE, requests);

    assertThat(answers.missing()).isEmpty();
    eventually("the sum", () -> left.count("sum") == 199 * 200 / 2);
  }

  @ParameterizedTest(name = "asynchronous {0}")
  @ValueSource(booleans = {true, false})
  void atTheDeadlineWhatWasAnsweredIsThere(boolean asynchronous) {
    killMortal();
    Board nowhere = frontEnd.service("Nowhere", Board.class);
    Request<Long> answered = frontEnd.request(left, board -> board.add("a", 1));
    Request<Integer> threw = frontEnd.request(left, Board::failRead);
    Request<Long> refused = frontEnd.request(nowhere, board -> board.count("a"));
    Request<Integer> late = frontEnd.request(mortal, Mortal::pulse);

    Answers answers = all(asynchronous, ENOUGH, late, answered, threw, refused);

    assertThat(answers.of(answered)).isEqualTo(new Outcome.Ok<>(1L));
    assertThat(answers.of(threw)).isInstanceOf(Outcome.Threw.class);
    assertThat(answers.of(refused))
        .isInstanceOfSatisfying(
            Outcome.Unable.class,
            unable -> assertThat(unable.reason()).isEqualTo(Reason.UNKNOWN_SERVICE));
    assertThat(answers.of(late))
        .isInstanceOfSatisfying(
            Outcome.Unknown.class,
            unknown -> assertThat(unknown.detail()).contains("No reply in "));
    assertThat(answers.of(late).orElse(-1)).isEqualTo(-1);
    assertThat(answers.areWhole()).isFalse();
    assertThat(answers.missing()).isEqualTo(List.of(late, threw, refused));
    assertThat(answers).asString().contains("Mortal.pulse()=Unknown");
  }

  @Test
  void whatIsCancelledMakesRoom() throws InterruptedException {
    killMortal();
    List<Request<Integer>> asMany =
        Stream.generate(() -> frontEnd.request(mortal, Mortal::die)).limit(UPDATES_MAX).toList();
    Request<Integer> more = frontEnd.request(mortal, Mortal::die);
    CompletableFuture<Answers> underWay = frontEnd.allAsync(AMPLE, asMany);
    // On a busy machine it takes longer than SHORT to send so many, and to know that this one
    // waits.
    assertThat(frontEnd.all(ENOUGH, more).of(more)).isInstanceOf(Outcome.Unable.class);

    assertThat(underWay.cancel(true)).isTrue();

    assertThat(frontEnd.all(SHORT, more).of(more)).isInstanceOf(Outcome.Unknown.class);
    assertThat(left.add("a", 1)).isOne();
  }

  @Test
  void aSingleCallCanBeCancelledToo() {
    killMortal();
    for (int i = 0; i <= UPDATES_MAX; i++) {
      assertThat(frontEnd.async(mortal, Mortal::die).cancel(true)).isTrue();
    }
  }

  @Test
  void anInterruptedCallerGetsWhatIsThereAndStaysInterrupted() throws InterruptedException {
    killMortal();
    Request<Long> answered = frontEnd.request(left, board -> board.add("a", 1));
    Request<Integer> late = frontEnd.request(mortal, Mortal::pulse);
    AtomicReference<Answers> answers = new AtomicReference<>();
    CountDownLatch stillInterrupted = new CountDownLatch(1);
    Thread caller =
        new Thread(() -> {
          answers.set(frontEnd.all(AMPLE, answered, late));
          if (Thread.currentThread().isInterrupted()) {
            stillInterrupted.countDown();
          }
        });
    caller.start();
    eventually("the first is executed", () -> left.count("a") == 1);
    caller.interrupt();
    caller.join();

    assertThat(stillInterrupted.getCount()).isZero();
    assertThat(answers.get().of(late))
        .isEqualTo(new Outcome.Unknown<Integer>("Cancelled before the reply"));
    Thread.currentThread().interrupt();
    assertThat(frontEnd.all(AMPLE, answered).areWhole()).isFalse();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aCallbackMayMakeOne() {
    Request<Long> inner = frontEnd.request(right, board -> board.add("b", 3));

    assertThat(
            frontEnd
                .async(left, board -> board.add("a", 1))
                .thenApply(outcome -> frontEnd.all(AMPLE, inner).of(inner))
                .join())
        .isEqualTo(new Outcome.Ok<>(3L));
  }

  @Test
  void noneOfThemIsWholeAtOnceAndAClosedFrontEndKnowsNothing() {
    killMortal();
    assertThat(frontEnd.all(AMPLE).areWhole()).isTrue();
    assertThat(frontEnd.allAsync(AMPLE).join().areWhole()).isTrue();
    Request<Long> one = frontEnd.request(left, board -> board.add("a", 1));
    Request<Integer> two = frontEnd.request(mortal, Mortal::die);
    CompletableFuture<Answers> underWay = frontEnd.allAsync(AMPLE, two);

    frontEnd.close();

    assertThat(underWay.join().missing()).isEqualTo(List.of(two));
    assertThat(frontEnd.all(AMPLE, one, two).missing()).isEqualTo(List.of(one, two));
  }

  @Test
  void whatCannotBeMeantIsRefused() {
    Request<Long> one = frontEnd.request(left, board -> board.add("a", 1));
    Request<Long> other = frontEnd.request(left, board -> board.add("a", 1));
    assertThatThrownBy(() -> frontEnd.all(AMPLE, one, one))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Board.add(String, long) is given twice");
    assertThatThrownBy(() -> frontEnd.all(Duration.ZERO, one))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 ms to 5 minutes");
    assertThatThrownBy(() -> frontEnd.all(AMPLE, one).of(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not one of these requests");
    try (FrontEnd another =
        FrontEnd.connect(FrontEndConfig.of("127.0.0.1:" + FreePorts.find(1).getFirst()))) {
      assertThatThrownBy(() -> another.all(AMPLE, one))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("another front-end");
    }
  }

  private Answers all(boolean asynchronous, Duration deadline, Request<?>... requests) {
    return asynchronous
        ? frontEnd.allAsync(deadline, requests).join()
        : frontEnd.all(deadline, requests);
  }

  private void killMortal() {
    eventually(
        "no replica of it is left",
        () -> {
          Request<Integer> die = frontEnd.request(mortal, Mortal::die);
          return !frontEnd.all(SHORT, die).areWhole() && isMortalDead();
        });
  }

  private boolean isMortalDead() throws InterruptedException {
    for (LocalNode node : cluster.nodes) {
      for (ServiceStatus service : node.status().services()) {
        if (service.name().equals("Mortal") && service.active()) {
          return false;
        }
      }
    }
    return true;
  }
}
