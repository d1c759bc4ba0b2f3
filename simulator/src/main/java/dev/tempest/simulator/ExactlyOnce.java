package dev.tempest.simulator;

import dev.tempest.protocol.frontend.Requests.Completion;
import dev.tempest.simulator.Evidence.Survivor;
import dev.tempest.simulator.Workload.Mark;
import dev.tempest.wire.Answer;
import java.util.ArrayList;
import java.util.List;

/**
 * Nothing ran twice under any retry pattern, and what ran is known to have run. Of what was
 * forgotten apart what it had done may have come without its id, and once more with it.
 */
final class ExactlyOnce implements Checker {
  @Override
  public List<Violation> check(Evidence evidence) {
    List<Violation> violations = new ArrayList<>();
    boolean mayComeTwice = evidence.forgottenApart() && evidence.settledApart();
    for (Operation read : evidence.operations()) {
      if (!read.invocation.update()
          && !mayComeTwice
          && read.completion() instanceof Completion.Answered(Answer answer)
          && !evidence.workload().isPlausible(read.invocation.call(), answer)) {
        violations.add(violation(evidence.describe(read) + " gave " + answer));
      }
    }
    for (Operation update : evidence.updates()) {
      String what = evidence.describe(update);
      if (update.ids.size() > 1) {
        violations.add(violation(what + " was sent under several ids"));
      }
      for (Survivor replica : evidence.replicas()) {
        Mark mark =
            evidence
                .workload()
                .mark(replica.instance(), replica.version(), update.invocation.tag());
        boolean isExcused = evidence.forgottenApart(); // What came of it may have come alone.
        if (mark.executions() > 1 && !mayComeTwice && !mayBeForgotten(evidence, update)) {
          violations.add(
              violation(replica.name() + " executed " + what + " " + mark.executions() + " times"));
        } else if (mark.executions() > 0 && !isExcused && !evidence.has(replica, update)) {
          violations.add(
              violation(replica.name() + " shows the effect of " + what + ", whose id it forgot"));
        }
      }
    }
    return violations;
  }

  /**
   * Whether those that have executed it may have forgotten it as one with an earlier stamp, and
   * take it again from one that knows only a later one, which they do not know to be forgotten: its
   * client sent it again later, or two replicas executed it that did not hear each other.
   */
  private static boolean mayBeForgotten(Evidence evidence, Operation update) {
    return evidence.forgottenApart()
        && (update.sentStamps.size() > 1 || evidence.workload().executesAny());
  }

  private static Violation violation(String sentence) {
    return new Violation(Violation.Kind.NOT_ONCE, sentence);
  }
}
