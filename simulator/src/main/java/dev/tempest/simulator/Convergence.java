package dev.tempest.simulator;

import dev.tempest.simulator.Evidence.Survivor;
import dev.tempest.state.versioned.Assembly;
import dev.tempest.values.encoding.Bytes;
import java.util.ArrayList;
import java.util.List;

/** All replicas have the same contents in the same iteration order, and count the same updates. */
final class Convergence implements Checker {
  @Override
  public List<Violation> check(Evidence evidence) {
    List<Violation> violations = new ArrayList<>();
    Survivor first = evidence.replicas().getFirst();
    for (Survivor other : evidence.replicas()) {
      String both = first.name() + " and " + other.name();
      if (first.status().executed() != other.status().executed()
          || first.status().hash() != other.status().hash()) {
        violations.add(
            new Violation(
                Violation.Kind.STUCK,
                both
                    + " count other updates: "
                    + first.status().executed()
                    + " and "
                    + other.status().executed()));
      } else if (!contents(first).equals(contents(other))
          || !first.version().equals(other.version())) {
        violations.add(
            new Violation(
                Violation.Kind.DIVERGED,
                both + " executed the same updates and differ in contents"));
      } else if (order(evidence, first) != order(evidence, other)) {
        violations.add(new Violation(Violation.Kind.DIVERGED, both + " differ in iteration order"));
      }
    }
    return violations;
  }

  private static Bytes contents(Survivor replica) {
    return replica.instance().piece(replica.version(), Assembly.FIRST_WISH, Integer.MAX_VALUE);
  }

  private static long order(Evidence evidence, Survivor replica) {
    return evidence.workload().order(replica.instance(), replica.version());
  }
}
