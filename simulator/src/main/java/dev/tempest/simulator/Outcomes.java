package dev.tempest.simulator;

import dev.tempest.protocol.frontend.Requests.Completion;
import dev.tempest.wire.Answer;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.List;

/**
 * Every request ended, an update when as many replicas had executed it as its front-end asks for;
 * the outcome is unknown only after the deadline: replicas remember every answer that somebody
 * waits for; nothing that makes sense was refused, unless for want of memory or by older releases
 * only, and what was refused is executed nowhere.
 */
final class Outcomes implements Checker {
  @Override
  public List<Violation> check(Evidence evidence) {
    List<Violation> violations = new ArrayList<>();
    for (Operation update : evidence.updates()) {
      if (update.isAcknowledged() && update.executedBy() < evidence.acks()) {
        violations.add(
            new Violation(
                Violation.Kind.WRONG_OUTCOME,
                evidence.describe(update)
                    + " ended when "
                    + update.executedBy()
                    + " of "
                    + evidence.acks()
                    + " replicas had executed it"));
      }
      if (update.completion() instanceof Completion.Answered(Answer.Refused refusal)
          && !update.mayBeHidden()
          && evidence.replicas().stream().anyMatch(each -> evidence.has(each, update))) {
        violations.add(
            new Violation(
                Violation.Kind.WRONG_OUTCOME,
                evidence.describe(update) + " was refused, " + refusal + ", and executed"));
      }
    }
    for (Operation operation : evidence.operations()) {
      String what = evidence.describe(operation);
      if (operation.isOpen()) {
        violations.add(new Violation(Violation.Kind.STUCK, what + " never ended"));
      } else if (operation.completion() instanceof Completion.Unknown
          && operation.completedNanos() < operation.deadlineNanos
          && !mayAnswerBeForgotten(evidence, operation)) {
        violations.add(
            new Violation(
                Violation.Kind.WRONG_OUTCOME,
                what
                    + " was given up "
                    + (operation.deadlineNanos - operation.completedNanos()) / 1_000_000
                    + " ms before its deadline"));
      } else if (operation.completion()
              instanceof Completion.Answered(Answer.Refused(var reason, var detail))
          && !(reason == Answer.Reason.BEHIND && operation.chain != null)
          && !(reason == Answer.Reason.UNKNOWN_METHOD
              && evidence.workload().isLackingInOlder(operation.invocation.call()))
          && !(reason == Answer.Reason.OVERLOADED && mayBeTooMuch(evidence, operation))) {
        violations.add(
            new Violation(
                Violation.Kind.WRONG_OUTCOME, what + " was refused: " + reason + " " + detail));
      }
    }
    return violations;
  }

  /**
   * Whether replicas may be full, or have no time, its chain may see more than it can be told, or
   * its turn may not have come.
   */
  private static boolean mayBeTooMuch(Evidence evidence, Operation operation) {
    return evidence.littleMemory()
        || evidence.limitsMet().contains(LimitsMet.Limit.SHED)
        || (evidence.fewSeen() && operation.chain != null)
        || (evidence.takeTurns() && operation.ids.isEmpty());
  }

  /** Those that are full keep no more; and what has come as a whole was answered elsewhere. */
  private static boolean mayAnswerBeForgotten(Evidence evidence, Operation operation) {
    return evidence.littleMemory()
        || evidence.settledApart()
        || (evidence.fewAnswers() && isDisplaced(evidence, operation));
  }

  /** Whether the answers to later updates of the same client may have taken its place. */
  private static boolean isDisplaced(Evidence evidence, Operation operation) {
    return evidence.updates().stream()
        .filter(other -> other.submittedNanos < operation.completedNanos())
        .anyMatch(other -> operation.ids.stream().anyMatch(id -> isLater(other, id)));
  }

  private static boolean isLater(Operation other, RequestId id) {
    return other.ids.stream()
        .anyMatch(each -> each.client() == id.client() && each.sequence() > id.sequence());
  }
}
