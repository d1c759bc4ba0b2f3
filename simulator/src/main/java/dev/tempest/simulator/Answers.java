package dev.tempest.simulator;

import dev.tempest.protocol.frontend.Requests.Completion;
import dev.tempest.wire.Answer;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients are told what an execution gave, and a replica answers a retry as it answered the first
 * time, unless an earlier entry arrived in between and made it execute again what follows.
 */
final class Answers implements Checker {
  @Override
  public List<Violation> check(Evidence evidence) {
    List<Violation> violations = new ArrayList<>();
    for (Operation update : evidence.updates()) {
      if (update.completion() instanceof Completion.Answered(Answer answer)
          && !evidence.workload().isPlausible(update.invocation.call(), answer)) {
        violations.add(
            new Violation(
                Violation.Kind.WRONG_OUTCOME,
                evidence.describe(update) + " was answered with what no execution gave"));
      }
      update.changedAnswers.forEach((replica, answers) ->
          violations.add(
              new Violation(
                  Violation.Kind.ANSWER_CHANGED,
                  replica + " answered " + evidence.describe(update) + " " + answers)));
    }
    return violations;
  }
}
