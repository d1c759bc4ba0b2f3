package dev.tempest.simulator;

import dev.tempest.protocol.frontend.Requests.Completion;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests of each front-end once everything has healed: they are answered. */
final class Probes {
  private static final long DEADLINE_MILLIS = 10_000;

  private final Cluster cluster;
  private final List<Operation> probes = new ArrayList<>();

  /**
   * Asks.
   *
   * @param lostTime whether front-ends may have seen a time that no replica has any more
   */
  Probes(Cluster cluster, boolean lostTime) {
    this.cluster = cluster;
    boolean nobodyHasAnything =
        cluster.replicas().stream().allMatch(each -> each.machine().status().executed() == 0);
    long latestMillis =
        cluster.replicas().stream().mapToLong(each -> each.machine().nowMillis()).max().orElse(0)
            + Stamp.AHEAD_MAX_MILLIS;
    for (FrontEndProcess frontEnd : cluster.frontEnds()) {
      boolean isFarAhead = lostTime && frontEnd.latestMillis() > latestMillis;
      if (nobodyHasAnything || isFarAhead) { // What comes after what it has seen comes in an hour.
        frontEnd.crash();
        frontEnd.start();
      }
      probes.add(frontEnd.submit(cluster.workload().probe(), DEADLINE_MILLIS, () -> {}));
    }
  }

  boolean haveEnded() {
    return probes.stream().noneMatch(Operation::isOpen);
  }

  /** Those that have ended without an answer, for people. */
  List<String> unanswered() {
    return probes.stream()
        .filter(probe -> !isAnswered(probe.completion()))
        .map(probe -> cluster.names().completion(probe.completion()))
        .toList();
  }

  private boolean isAnswered(@Nullable Completion completion) {
    return completion instanceof Completion.Answered(Answer.Returned returned)
        || (cluster.parameters().hasLittleMemory() && isOfFull(completion));
  }

  /**
   * Replicas that are full keep no answers: who does not hear the first one hears of none. And the
   * first of these requests may leave no room for the next one.
   */
  private static boolean isOfFull(@Nullable Completion completion) {
    return completion instanceof Completion.Unknown
        || (completion instanceof Completion.Answered(Answer.Refused refusal)
            && refusal.reason() == Reason.OVERLOADED);
  }
}
