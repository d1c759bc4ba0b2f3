package dev.tempest.runtime.node;

import static dev.tempest.runtime.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tempest.OverloadedException;
import dev.tempest.UnknownOutcomeException;
import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.Event;
import dev.tempest.state.Counter;
import dev.tempest.state.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Actions on linearizable collections that meet those of another node, or hear of none. */
@Timeout(60)
class AgreedStateTest {
  private final AgreedGroup group = new AgreedGroup(2);
  private final Map<String, Integer> here = map(group, 0);
  private final Map<String, Integer> there = map(group, 1);
  private final AtomicInteger runs = new AtomicInteger();

  private static Map<String, Integer> map(AgreedGroup group, int index) {
    return group.state(index).declare(state -> state.map("m", String.class, Integer.class));
  }

  /** It may have seen what never counts, and then runs again. */
  @Test
  void whatAFunctionThrowsIsHeardOnlyIfItCounts() {
    here.put("a", 1);
    int seen =
        group
            .state(0)
            .batch(() -> {
              int value = here.getOrDefault("a", 0);
              if (runs.incrementAndGet() == 1) {
                there.put("a", 2);
              }
              assertThat(value).isEqualTo(2); // Throws what is no exception.
              return value;
            });
    assertThat(seen).isEqualTo(2);
    assertThat(runs).hasValue(2);

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() ->
            group
                .state(0)
                .batch(() -> {
                  here.put("a", 3);
                  throw new AssertionError("of the application");
                }))
        .withMessage("of the application");
    assertThat(there).containsEntry("a", 2);
  }

  @Test
  void aCounterIsOneAtAllNodes() {
    Counter one = group.state(0).declare(state -> state.counter("c"));
    Counter other = group.state(1).declare(state -> state.counter("c"));
    for (long i = 1; i <= 10; i++) {
      assertThat(one.add(2)).isEqualTo(3 * i - 1);
      assertThat(other.increment()).isEqualTo(3 * i);
      assertThat(one.get()).isEqualTo(3 * i);
    }
  }

  @Test
  void aValueIsOneAtAllNodes() {
    Value<String> one = group.state(0).declare(state -> state.value("v", String.class));
    Value<String> other = group.state(1).declare(state -> state.value("v", String.class));
    assertThat(one.compareAndSet(null, "a")).isTrue();
    assertThat(other.compareAndSet(null, "b")).isFalse();
    assertThat(other.getAndSet("b")).isEqualTo("a");
    assertThat(one.updateAndGet(value -> value + "c")).isEqualTo("bc");
    assertThat(other.accumulateAndGet("d", String::concat)).isEqualTo("bcd");
    one.set(null);
    assertThat(other.get()).isNull();
  }

  @Test
  void aFunctionThatTakesTooLongIsToldSoAndWritesNothing() {
    assertThatExceptionOfType(OverloadedException.class)
        .isThrownBy(() ->
            group
                .state(0)
                .batch(() -> {
                  group.passSeconds(60);
                  return here.put("a", 1);
                }))
        .withMessageContaining("the function has run");
    assertThat(there).isEmpty();
  }

  /** What a node is told whose others are silent. */
  @Test
  void aMinorityReadsAndWritesNothingAndSaysSo() {
    AgreedGroup apart = new AgreedGroup(3, deadline(Duration.ofMillis(200)));
    Map<String, Integer> alone = map(apart, 0);
    alone.put("a", 1);
    apart.partAll();
    assertThatExceptionOfType(OverloadedException.class)
        .isThrownBy(() -> alone.get("a"))
        .withMessageContaining("nothing was read: no majority of the members answered within 200");
    assertThatExceptionOfType(UnknownOutcomeException.class)
        .isThrownBy(() -> alone.put("a", 2))
        .withMessageContaining("within 200 ms no majority")
        .withMessageContaining("may come to count");
    assertThatExceptionOfType(OverloadedException.class) // It waits behind the one before.
        .isThrownBy(() -> alone.put("b", 2))
        .withMessageContaining("nothing was written");
  }

  /** Its write waits behind that of another thread, which has given up. */
  @Test
  void whoWaitsBehindWhatIsGivenUpHearsOfTheMajorityThatIsMissing() throws Exception {
    AgreedGroup apart = new AgreedGroup(3, deadline(Duration.ofMinutes(5)));
    Map<String, Integer> alone = map(apart, 0);
    apart.partAll();
    List<CompletableFuture<Throwable>> thrown = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      thrown.add(waiting(() -> alone.merge("a", 1, Integer::sum)));
    }
    apart.passSeconds(600);
    // Of the second: the first one is on its way.
    apart.state(0).replica().perform(new Event.EndWait(apart.nowNanos(), 2));
    assertThat(thrown.get(1).get(10, TimeUnit.SECONDS))
        .isInstanceOf(OverloadedException.class)
        .hasMessageContaining("nothing was written: no leader was found");
    assertThat(thrown.get(2).get(10, TimeUnit.SECONDS))
        .isInstanceOf(OverloadedException.class)
        .hasMessageContaining("no majority of the members answered");
    apart.state(0).replica().close();
    assertThat(thrown.get(0).get(10, TimeUnit.SECONDS)).isInstanceOf(UnknownOutcomeException.class);
  }

  @Test
  void whoReadsWhereTooManyWaitIsToldSo() {
    AgreedGroup apart = new AgreedGroup(3, deadline(Duration.ofMinutes(5)));
    Map<String, Integer> alone = map(apart, 0);
    apart.partAll();
    for (int i = 0; i < 8_192; i++) {
      apart.state(0).replica().perform(new Event.Looks(apart.nowNanos(), 1_000_000 + i));
    }
    assertThatExceptionOfType(OverloadedException.class)
        .isThrownBy(() -> alone.get("a"))
        .withMessageContaining("nothing was read: too many reads wait");
  }

  @Test
  void whoWaitsForAMajorityHearsThatTheNodeIsClosed() throws Exception {
    AgreedGroup apart = new AgreedGroup(3, deadline(Duration.ofMinutes(5)));
    Map<String, Integer> alone = map(apart, 0);
    apart.partAll();
    assertThat(closedMeanwhile(apart.state(0), () -> alone.get("a")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    Map<String, Integer> other = map(apart, 1);
    assertThat(closedMeanwhile(apart.state(1), () -> other.put("a", 1)))
        .isInstanceOf(UnknownOutcomeException.class)
        .hasMessageContaining("closed");
  }

  /** What it is thrown that waits while its node closes. */
  private static Throwable closedMeanwhile(AgreedState state, Runnable waits) throws Exception {
    CompletableFuture<Throwable> thrown = waiting(waits);
    state.replica().close();
    return thrown.get(10, TimeUnit.SECONDS);
  }

  /** What a thread is thrown, which waits by now. */
  private static CompletableFuture<Throwable> waiting(Runnable waits) {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread thread =
        new Thread(() -> {
          try {
            waits.run();
          } catch (RuntimeException expected) {
            thrown.complete(expected);
          }
        });
    thread.start();
    eventually("it waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
    return thrown;
  }

  private static NodeConfig deadline(Duration deadline) {
    return NodeConfig.builder().deadline(deadline).build();
  }

  /** The entry would expire although it is read. */
  @Test
  void aUseThatIsRefusedIsWrittenAgain() {
    here.put("a", 1);
    group
        .state(0)
        .later(() -> {
          int value = here.getOrDefault("a", 0);
          if (runs.incrementAndGet() == 1) {
            there.put("a", 2);
          }
          here.put("used", value);
        });
    group.passSeconds(1);
    assertThat(there).containsEntry("used", 2);
    assertThat(runs).hasValue(2);
  }
}
