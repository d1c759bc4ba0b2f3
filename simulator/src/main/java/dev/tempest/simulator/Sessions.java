package dev.tempest.simulator;

import dev.tempest.protocol.frontend.Requests.Completion;
import dev.tempest.protocol.order.time.Reconcile;
import dev.tempest.wire.Answer;
import java.util.ArrayList;
import java.util.List;

/**
 * A read of a session sees the session's own updates that had returned (read your writes) and all
 * that its reads had seen (monotonic reads), also what other sessions saw whose handles it took.
 */
final class Sessions implements Checker {
  @Override
  public boolean holdsUnder(Reconcile reconcile) {
    return reconcile == Reconcile.MERGE; // Else an update that was seen may be given up.
  }

  @Override
  public List<Violation> check(Evidence evidence) {
    List<Violation> violations = new ArrayList<>();
    for (Operation read : evidence.operations()) {
      if (read.knownBefore
          && read.completion() instanceof Completion.Answered(Answer.Returned(var result))
          && !evidence.workload().saw(result)) {
        violations.add(
            new Violation(
                Violation.Kind.UNSEEN,
                evidence.describe(read)
                    + " of ticket "
                    + read.ticket
                    + " did not see what its session had seen"));
      }
    }
    return violations;
  }
}
