package dev.tempest.simulator;

import dev.tempest.simulator.Evidence.Survivor;
import dev.tempest.simulator.Workload.Mark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An update counts after all that its client knew of when it asked for it: what had been answered
 * through the same front-end, what reads through it had seen, and what the handles say that it
 * took; updates excepted that a replica gave up, and those that were stamped anew for a replica
 * that had not executed them, if those that had lost their memory.
 *
 * <p>Where one replica executes an update, any, the state does not tell in which order they count:
 * there the stamps of their entries do, as long as nobody lost its memory, and an entry with it.
 *
 * <p>Of replicas that have grown apart nothing is promised: what one of them had settled counts
 * after all that the other had.
 */
final class ClientOrder implements Checker {
  @Override
  public List<Violation> check(Evidence evidence) {
    List<Violation> violations = new ArrayList<>();
    if (evidence.apart()) {
      return violations;
    }
    Map<Long, Long> places = places(evidence);
    for (Operation update : evidence.updates()) {
      long place = places.getOrDefault(update.invocation.tag(), Long.MAX_VALUE);
      for (long earlier : update.after) {
        if (places.getOrDefault(earlier, Long.MIN_VALUE) >= place) {
          violations.add(
              new Violation(
                  Violation.Kind.OUT_OF_ORDER,
                  evidence.describe(update)
                      + " counts before the update with tag "
                      + earlier
                      + ", of which its client knew"));
        }
      }
    }
    return violations;
  }

  /** Where updates count, by tag; those without a place do so anywhere. */
  private static Map<Long, Long> places(Evidence evidence) {
    Map<Long, Long> places = new LinkedHashMap<>();
    Survivor replica = evidence.replicas().getFirst();
    boolean byStamp = evidence.workload().executesAny();
    for (Operation update : evidence.updates()) {
      long tag = update.invocation.tag();
      Mark mark = evidence.workload().mark(replica.instance(), replica.version(), tag);
      boolean mayBeElsewhere = !evidence.memoryWasKept() && update.entryStamps.size() > 1;
      if (update.wasGivenUp() || mayBeElsewhere) {
        continue; // It may have got another place than the one that it was seen at.
      }
      if (!byStamp && mark.position() > 0) {
        places.put(tag, mark.position());
      } else if (byStamp && mark.executions() > 0 && evidence.memoryWasKept()) {
        places.put(tag, update.entryStamps.first());
      }
    }
    return places;
  }
}
