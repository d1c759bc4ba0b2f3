package dev.tempest.simulator;

import dev.tempest.protocol.frontend.Requests.Completion;
import dev.tempest.wire.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A read of a chain sees the chain's own updates that had returned (read your writes) and all that
 * its reads had seen (monotonic reads), also what other chains saw whose handles it took; updates
 * excepted that a replica gave up, or that are lost with the memory of all that had executed them:
 * whoever takes a handle from after such a loss asks no more for what was before it.
 *
 * <p>What two replicas have seen that have grown apart no handle holds together.
 */
final class CausalChains implements Checker {
  @Override
  public List<Violation> check(Evidence evidence) {
    List<Violation> violations = new ArrayList<>();
    if (evidence.apart()) {
      return violations;
    }
    Set<Long> gone =
        evidence.updates().stream()
            .filter(update ->
                update.wasGivenUp()
                    || (!update.executors.isEmpty()
                        && update.executors.stream().allMatch(evidence.lostMemory())))
            .map(update -> update.invocation.tag())
            .collect(Collectors.toCollection(TreeSet::new));
    for (Operation read : evidence.operations()) {
      if (read.knownBefore
          && read.completion() instanceof Completion.Answered(Answer.Returned(var result))
          && !evidence.workload().saw(result)
          && !gone.contains(read.invocation.tag())) {
        violations.add(
            new Violation(
                Violation.Kind.UNSEEN,
                evidence.describe(read)
                    + " of ticket "
                    + read.ticket
                    + " did not see what its chain had seen"));
      }
    }
    return violations;
  }
}
