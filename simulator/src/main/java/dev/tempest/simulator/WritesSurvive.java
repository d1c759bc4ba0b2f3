package dev.tempest.simulator;

import dev.tempest.simulator.Evidence.Survivor;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * No write is missing of which anybody who is known to have had it kept its memory: its process,
 * those for which that has waited, and those that came back with it from their disks; what was
 * given up excepted. Each is there as a whole; counters and merges are the sums of all that was
 * added, and queues account for what was put in if no replica settled without the others. What came
 * as a whole may be given up as a whole, where some have settled apart and forgotten what. Nothing
 * counts twice, forgotten or not, but what has settled apart and met a replica that had forgotten
 * its client because its table was full; and what it counted may be all that is left of a write.
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
      Set<Long> alone = incrementsAlone(evidence, replica);
      alone.addAll(mayCountAgain(evidence, replica));
      if (!evidence.workload().countsAtMostOnce(replica.instance(), replica.version(), alone)) {
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

  /**
   * The writes that may have left nothing but an increment: what has settled apart is put in again
   * as an increment with the id of the write, and its keys in a change, which may be lost with the
   * memory of all who had it. So some have settled apart, the replica has the id but not the keys,
   * and nobody who is known to have had the write, or has shown it, has kept its memory: who has
   * would bring the keys. A write that counted twice and is there, or was at one of those who are
   * left, is found as before.
   */
  private static Set<Long> incrementsAlone(Evidence evidence, Survivor replica) {
    Set<Long> alone = new TreeSet<>();
    if (!evidence.settledApart()) {
      return alone;
    }
    evidence
        .writes()
        .forEach((tag, holders) -> {
          RequestId id = evidence.writeIds().get(tag);
          boolean counted =
              id != null && (replica.executed().test(id) || replica.forgot().test(id.client()));
          if (counted
              && holders.stream().allMatch(evidence.lostMemory())
              && evidence.shown().getOrDefault(tag, new TreeSet<>()).stream()
                  .allMatch(evidence.lostMemory())
              && !evidence.workload().tookEffect(replica.instance(), replica.version(), tag)) {
            alone.add(tag);
          }
        });
    return alone;
  }

  /**
   * The writes of clients that were forgotten sooner than others could know, since the table was
   * full: they may have been put in again, once.
   */
  private static Set<Long> mayCountAgain(Evidence evidence, Survivor replica) {
    Set<Long> again = new TreeSet<>();
    if (evidence.settledApart() && evidence.littleMemory()) {
      evidence
          .writeIds()
          .forEach((tag, id) -> {
            if (replica.forgot().test(id.client())) {
              again.add(tag);
            }
          });
    }
    return again;
  }

  private static boolean addsUp(Evidence evidence, Survivor replica) {
    return evidence.apart()
        ? !evidence.countsExactly()
            || evidence.workload().countsAddUp(replica.instance(), replica.version())
        : evidence.workload().addsUp(replica.instance(), replica.version());
  }
}
