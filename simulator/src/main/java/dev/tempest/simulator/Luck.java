package dev.tempest.simulator;

import dev.tempest.protocol.frontend.Requests.Completion;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.simulator.Evidence.Survivor;
import dev.tempest.state.State;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * What services draw from their processes, a new number each time, and what has to come of it where
 * one replica executes an update and the others apply what it wrote: the state has what one
 * execution drew, counts it once, and the client was told what an execution drew. Where some have
 * settled apart keys may come as a whole, with what another execution did that does not count.
 */
final class Luck implements Checker {
  /** The map of a ledger that has by tag what was drawn. */
  static final String KEPT = "luck";

  private static final ServiceMethod DRAWS =
      ServiceInterface.of(Ledger.class).methods().stream()
          .filter(method -> method.name().equals("append"))
          .findFirst()
          .orElseThrow();

  private final Map<Long, List<Long>> drawn = new LinkedHashMap<>();
  private long draws;

  /** A ledger that draws, of which one replica executes each update, any. */
  static LedgerWorkload ledger() {
    return ledger(LuckyLedger::new);
  }

  /** The same with a variant of that ledger. */
  static LedgerWorkload ledger(BiFunction<State, Luck, Ledger> variant) {
    Luck luck = new Luck();
    List<Checker> checkers = new ArrayList<>(Checker.all());
    checkers.removeIf(SequentialEquivalence.class::isInstance); // Its reference draws otherwise.
    checkers.add(luck);
    return new LedgerWorkload(replica -> state -> variant.apply(state, luck), checkers, true);
  }

  /** An execution of the update with this tag draws. */
  long draw(long tag) {
    long number = Randomness.mix(++draws);
    drawn.computeIfAbsent(tag, first -> new ArrayList<>(1)).add(number);
    return number;
  }

  /** What the executions of an update drew, and kept or not. */
  List<Long> drawnBy(long tag) {
    return drawn.getOrDefault(tag, List.of());
  }

  @Override
  public List<Violation> check(Evidence evidence) {
    List<Violation> violations = new ArrayList<>();
    Survivor replica = evidence.replicas().getFirst();
    Map<?, ?> kept = map(replica, KEPT);
    long effects =
        replica.instance().contents(replica.version()).get("effects") instanceof Long count
            ? count
            : 0;
    long executed = executed(replica);
    boolean mayMiss = evidence.settledApart() || evidence.forgottenApart();
    if (effects > executed + incrementsAlone(evidence, replica)
        || (effects < executed && !mayMiss)) {
      violations.add(
          new Violation(
              Violation.Kind.NOT_ONCE,
              replica.name() + " counts " + effects + " effects of " + executed + " updates"));
    }
    for (Operation update : evidence.updates()) {
      List<Long> own = drawnBy(update.invocation.tag());
      if (kept.get(update.invocation.tag()) instanceof Long number && !own.contains(number)) {
        violations.add(wrong(evidence, update, "has in the state what it never drew"));
      }
      if (update.completion() instanceof Completion.Answered(Answer.Returned(Bytes result))
          && !evidence.workload().describe(update.invocation.call()).startsWith("toggle")
          && own.stream().map(DRAWS::encodeResult).noneMatch(result::equals)) {
        violations.add(wrong(evidence, update, "was answered with what it never drew"));
      }
    }
    return violations;
  }

  /**
   * How many updates may have left nothing but an increment: what has settled apart is put in again
   * as an increment with the update's id, and its keys in a change, which may be lost with the
   * memory of all who had it, or come when it is too old to be put in once more.
   */
  private long incrementsAlone(Evidence evidence, Survivor replica) {
    boolean mayBeTooOld = evidence.forgottenApart();
    if (!evidence.settledApart() || (evidence.memoryWasKept() && !mayBeTooOld)) {
      return 0;
    }
    Map<?, ?> executions = map(replica, "executions");
    return evidence.updates().stream()
        .filter(update -> !drawnBy(update.invocation.tag()).isEmpty()) // The others threw.
        .filter(update -> mayBeTooOld || update.executors.stream().anyMatch(evidence.lostMemory()))
        .filter(update -> replica.knows(update) || replica.hasForgotten(update))
        .filter(update -> !executions.containsKey(update.invocation.tag()))
        .count();
  }

  /** Those that count their effects; whether some may have run twice {@link ExactlyOnce} judges. */
  private static long executed(Survivor replica) {
    Map<?, ?> executions = map(replica, "executions");
    return map(replica, "positions").keySet().stream()
        .mapToLong(tag -> executions.get(tag) instanceof Long times ? times : 1)
        .sum();
  }

  private static Map<?, ?> map(Survivor replica, String name) {
    return replica.instance().contents(replica.version()).get(name) instanceof Map<?, ?> map
        ? map
        : new LinkedHashMap<>();
  }

  private static Violation wrong(Evidence evidence, Operation update, String what) {
    return new Violation(Violation.Kind.WRONG_OUTCOME, evidence.describe(update) + " " + what);
  }
}
