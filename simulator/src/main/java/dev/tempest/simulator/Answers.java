package dev.tempest.simulator;

import java.util.ArrayList;
import java.util.List;

/**
 * A replica answers a retry as it answered the first time, unless an earlier entry arrived in
 * between and made it execute again what follows.
 */
final class Answers implements Checker {
  @Override
  public List<Violation> check(Evidence evidence) {
    List<Violation> violations = new ArrayList<>();
    for (Operation update : evidence.updates()) {
      update.changedAnswers.forEach((replica, answers) ->
          violations.add(
              new Violation(
                  Violation.Kind.ANSWER_CHANGED,
                  replica + " answered " + evidence.describe(update) + " " + answers)));
    }
    return violations;
  }
}
