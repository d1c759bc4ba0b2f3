package dev.tempest.simulator;

import dev.tempest.simulator.Evidence.Survivor;
import java.util.ArrayList;
import java.util.List;

/**
 * No write is missing of which anybody who is known to have had it kept its memory: its process,
 * and those for which that has waited; what was given up excepted. Each is there as a whole;
 * counters and merges are the sums of all that was added, and queues account for what was put in if
 * no replica settled without the others. What came as a whole may be given up as a whole, where
 * some have settled apart and forgotten what. Nothing ever counts twice, forgotten or not.
 */
final class WritesSurvive implements Checker {
  @Override
  public List<Violation> check(Evidence evidence) {
    List<Violation> violations = new ArrayList<>();
    boolean mayLack = evidence.settledApart() && evidence.forgottenApart();
    for (Survivor replica : evidence.replicas()) {
      evidence
          .writes()
          .forEach((tag, holders) -> {
            boolean present =
                evidence.workload().tookEffect(replica.instance(), replica.version(), tag);
            if (!present && !mayLack && !holders.stream().allMatch(evidence.lostMemory())) {
              violations.add(
                  new Violation(
                      Violation.Kind.LOST,
                      replica.name() + " lacks write " + tag + ", which had " + holders));
            }
          });
      if (!evidence.workload().countsAtMostOnce(replica.instance(), replica.version())) {
        violations.add(
            new Violation(
                Violation.Kind.NOT_ONCE, replica.name() + " has counted some write twice"));
      }
      if (!addsUp(evidence, replica)) {
        violations.add(
            new Violation(
                Violation.Kind.NOT_ONCE,
                replica.name() + " has counted something else than what took effect"));
      }
    }
    return violations;
  }

  private static boolean addsUp(Evidence evidence, Survivor replica) {
    return evidence.apart()
        ? !evidence.countsExactly()
            || evidence.workload().countsAddUp(replica.instance(), replica.version())
        : evidence.workload().addsUp(replica.instance(), replica.version());
  }
}
