package dev.tempest.simulator;

import dev.tempest.simulator.Evidence.Survivor;
import java.util.ArrayList;
import java.util.List;

/**
 * An update may only be missing if every incarnation that had executed it lost its memory, or a
 * replica said that it gave it up, or more had settled apart than is remembered. An acknowledged
 * one was executed by somebody.
 */
final class SurvivingUpdates implements Checker {
  @Override
  public List<Violation> check(Evidence evidence) {
    List<Violation> violations = new ArrayList<>();
    for (Operation update : evidence.updates()) {
      boolean excused =
          evidence.forgottenApart()
              || update.wasGivenUp()
              || (update.executors.stream().allMatch(evidence.lostMemory())
                  && !(update.isAcknowledged() && update.executors.isEmpty()));
      for (Survivor replica : evidence.replicas()) {
        if (!excused && lacks(evidence, replica, update)) {
          violations.add(
              new Violation(
                  Violation.Kind.LOST,
                  replica.name()
                      + " lacks "
                      + evidence.describe(update)
                      + (update.isAcknowledged() ? ", which was acknowledged" : "")
                      + "; executed by "
                      + update.executors));
        }
      }
    }
    return violations;
  }

  /** Once a client is forgotten, an update without effects leaves no trace. */
  private static boolean lacks(Evidence evidence, Survivor replica, Operation update) {
    return !evidence.has(replica, update) && !replica.hasForgotten(update);
  }
}
