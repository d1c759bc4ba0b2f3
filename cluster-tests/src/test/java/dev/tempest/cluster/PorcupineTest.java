package dev.tempest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Outcome;
import dev.tempest.cluster.History.Operation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checker of histories refuses what is not linearizable, and only that. */
final class PorcupineTest {
  private static final Outcome<Long> UNKNOWN = new Outcome.Unknown<>("no answer");

  @TempDir private Path folder;

  /** What a test writes down: a moment is a number. */
  @FunctionalInterface
  private interface Script {
    void writeDown(History history);
  }

  @Test
  void acceptsOperationsAtTheSameTimeInAnyOrder() throws Exception {
    Porcupine.Verdict verdict =
        verdictOn(history -> {
          perform(history, 0, write(1), 0, ok(null), 10);
          perform(history, 1, cas(1, 2), 1, ok(true), 11);
          perform(history, 2, read(), 2, ok(null), 12);
          perform(history, 3, read(), 3, ok(1L), 13);
          perform(history, 0, read(), 14, ok(2L), 15);
        });
    assertThat(verdict.exitCode()).as(verdict.said()).isZero();
  }

  @Test
  void acceptsThatUnknownOperationsTakeEffectLateOrNever() throws Exception {
    Porcupine.Verdict verdict =
        verdictOn(history -> {
          perform(history, 0, add(5), 0, UNKNOWN, 1);
          perform(history, 1, add(70), 0, UNKNOWN, 1);
          perform(history, 2, add(1), 2, ok(1L), 3);
          perform(history, 2, sum(), 4, ok(6L), 5);
          perform(history, 2, sum(), 6, UNKNOWN, 7);
        });
    assertThat(verdict.exitCode()).as(verdict.said()).isZero();
  }

  @Test
  void acceptsThatWhatBeganBeforeItsProcessWasKilledTakesEffectOrNot() throws Exception {
    Porcupine.Verdict verdict =
        verdictOn(history -> {
          history.begin(0, add(5), 0);
          history.begin(1, add(70), 0);
          perform(history, 2, sum(), 1, ok(5L), 2);
          perform(history, 2, sum(), 3, ok(5L), 4);
        });
    assertThat(verdict.exitCode()).as(verdict.said()).isZero();
  }

  @Test
  void acceptsThatWhatWasRefusedDidNotHappen() throws Exception {
    Porcupine.Verdict verdict =
        verdictOn(history -> {
          perform(
              history,
              0,
              offer(1),
              0,
              new Outcome.Unable<>(Outcome.Reason.OVERLOADED, "too much"),
              1);
          perform(history, 0, offer(2), 2, ok(null), 3);
          perform(history, 0, poll(), 4, ok(2L), 5);
        });
    assertThat(verdict.exitCode()).as(verdict.said()).isZero();
  }

  @Test
  void refusesAStaleRead() throws Exception {
    assertRefused(
        "registers",
        history -> {
          perform(history, 0, write(1), 0, ok(null), 1);
          perform(history, 0, write(2), 2, ok(null), 3);
          perform(history, 1, read(), 4, ok(1L), 5);
        });
  }

  @Test
  void refusesALostAdd() throws Exception {
    assertRefused(
        "counters",
        history -> {
          perform(history, 0, add(5), 0, ok(5L), 1);
          perform(history, 1, add(70), 2, ok(70L), 3);
        });
  }

  @Test
  void refusesAnUnknownAddThatIsExecutedTwice() throws Exception {
    assertRefused(
        "counters",
        history -> {
          perform(history, 0, add(5), 0, UNKNOWN, 1);
          perform(history, 1, sum(), 2, ok(10L), 3);
        });
  }

  @Test
  void refusesAnElementThatIsPolledTwice() throws Exception {
    assertRefused(
        "queues",
        history -> {
          perform(history, 0, offer(1), 0, ok(null), 1);
          perform(history, 1, poll(), 2, ok(1L), 9);
          perform(history, 2, poll(), 3, ok(1L), 8);
        });
  }

  @Test
  void acceptsTransactionsThatAreSeenAsAWhole() throws Exception {
    Porcupine.Verdict verdict =
        verdictOn(history -> {
          perform(history, 0, transaction(1, 11, 2, 12), 0, ok("[null,null]"), 9);
          perform(history, 1, transaction(1, 0, 2, 0), 1, ok("[[],[]]"), 8);
          perform(history, 2, transaction(2, 0, 2, 22, 2, 0), 2, ok("[[12],null,[12,22]]"), 7);
          perform(history, 3, transaction(1, 31, 2, 32), 3, UNKNOWN, 4);
          perform(history, 4, transaction(1, 41), 3, UNKNOWN, 4);
          perform(history, 1, transaction(1, 0, 2, 0), 10, ok("[[11],[12,22]]"), 11);
          perform(history, 1, transaction(1, 0, 2, 0), 12, ok("[[11,31],[12,22,32]]"), 13);
        });
    assertThat(verdict.exitCode()).as(verdict.said()).isZero();
  }

  @Test
  void refusesHalfATransaction() throws Exception {
    assertNoTransactions(
        "each comes before the next one",
        history -> {
          perform(history, 0, transaction(1, 11, 2, 12), 0, UNKNOWN, 9);
          perform(history, 1, transaction(2, 0, 1, 0), 0, ok("[[],[11]]"), 9);
        });
  }

  /** Each has read what the other one then changed. */
  @Test
  void refusesWriteSkew() throws Exception {
    assertNoTransactions(
        "each comes before the next one",
        history -> {
          perform(history, 0, transaction(1, 0, 2, 12), 0, ok("[[],null]"), 9);
          perform(history, 1, transaction(2, 0, 1, 21), 0, ok("[[],null]"), 9);
          perform(history, 2, transaction(1, 0, 2, 0), 10, ok("[[21],[12]]"), 11);
        });
  }

  /** Serializable, but not strictly. */
  @Test
  void refusesATransactionThatReadsWhatWas() throws Exception {
    assertNoTransactions(
        "each comes before the next one",
        history -> {
          perform(history, 0, transaction(1, 11), 0, ok("[null]"), 1);
          perform(history, 1, transaction(1, 0, 2, 22), 2, ok("[[],null]"), 3);
          perform(history, 2, transaction(1, 0), 4, ok("[[11]]"), 5);
        });
  }

  @Test
  void refusesALostAppend() throws Exception {
    assertNoTransactions(
        "each comes before the next one",
        history -> {
          perform(history, 0, transaction(1, 11, 1, 12), 0, ok("[null,null]"), 1);
          perform(history, 1, transaction(1, 0), 2, ok("[[11]]"), 3);
        });
  }

  @Test
  void refusesAnAppendThatIsExecutedTwice() throws Exception {
    assertNoTransactions(
        "is there twice",
        history -> {
          perform(history, 0, transaction(1, 11), 0, UNKNOWN, 1);
          perform(history, 1, transaction(1, 0), 2, ok("[[11,11]]"), 3);
        });
  }

  @Test
  void refusesTwoOrdersOfOneList() throws Exception {
    assertNoTransactions(
        "two orders of list 1",
        history -> {
          perform(history, 0, transaction(1, 11), 0, ok("[null]"), 9);
          perform(history, 1, transaction(1, 21), 0, ok("[null]"), 9);
          perform(history, 2, transaction(1, 0), 0, ok("[[11,21]]"), 9);
          perform(history, 3, transaction(1, 0), 0, ok("[[21,11]]"), 9);
        });
  }

  @Test
  void refusesATransactionThatDoesNotSeeItsOwnAppend() throws Exception {
    assertNoTransactions(
        "it did not see what it had seen and done itself",
        history -> perform(history, 0, transaction(1, 0, 1, 11, 1, 0), 0, ok("[[],null,[]]"), 1));
  }

  private void assertRefused(String service, Script script) throws Exception {
    Porcupine.Verdict verdict = verdictOn(script);
    assertThat(verdict.exitCode()).as(verdict.said()).isEqualTo(1);
    assertThat(verdict.said()).contains(service + ": not linearizable at key k");
  }

  private void assertNoTransactions(String why, Script script) throws Exception {
    Porcupine.Verdict verdict = verdictOn(script);
    assertThat(verdict.exitCode()).as(verdict.said()).isEqualTo(1);
    assertThat(verdict.said()).contains("lists: not strictly serializable at key k: ", why);
  }

  private Porcupine.Verdict verdictOn(Script script) throws IOException, InterruptedException {
    Porcupine porcupine = Porcupine.built();
    Path file = folder.resolve("history.jsonl");
    try (History history = new History(file, 1)) {
      script.writeDown(history);
    }
    return porcupine.check(List.of(file));
  }

  private static void perform(
      History history, int client, Operation operation, long from, Outcome<?> outcome, long to) {
    history.begin(client, operation, from);
    history.end(client, operation, from, outcome, to);
  }

  private static <T> Outcome<T> ok(@Nullable T value) {
    return new Outcome.Ok<>(value);
  }

  private static Operation read() {
    return operation(Workload.Services.REGISTERS, "read", true);
  }

  private static Operation write(long value) {
    return operation(Workload.Services.REGISTERS, "write", false, value);
  }

  private static Operation cas(long expected, long value) {
    return operation(Workload.Services.REGISTERS, "cas", false, expected, value);
  }

  private static Operation sum() {
    return operation(Workload.Services.COUNTERS, "read", true);
  }

  private static Operation add(long more) {
    return operation(Workload.Services.COUNTERS, "add", false, more);
  }

  private static Operation offer(long element) {
    return operation(Workload.Services.QUEUES, "offer", false, element);
  }

  private static Operation poll() {
    return operation(Workload.Services.QUEUES, "poll", false);
  }

  /** Of each step the list, and what is appended; 0 for a read. */
  private static Operation transaction(long... steps) {
    return operation(Workload.Services.LISTS, "transaction", false, steps);
  }

  private static Operation operation(
      String service, String name, boolean isRead, long... arguments) {
    return new Operation(service, "k", name, isRead, LongStream.of(arguments).boxed().toList());
  }
}
