package dev.tempest.bench;

import dev.tempest.bench.OverloadBenchmark.Outcome;
import dev.tempest.bench.tempest.OverloadSample;
import java.util.List;

/**
 * One run of the {@link OverloadBenchmark}.
 *
 * @param reconcile how servers that differ come to one state
 * @param sample what the client saw
 * @param updatingMillis from the start to the end of the updates and of the attack
 * @param settledMillis after the last read, until all servers had settled the same state; -1 if
 *     they had not within a minute
 * @param lost how many acknowledged updates each replica lacks then
 * @param flooded how many requests the rogue clients sent
 * @param updatesShed how many updates the servers refused at once
 * @param readsShed how many reads they left unanswered
 */
record OverloadRun(
    String reconcile,
    OverloadSample sample,
    long updatingMillis,
    long settledMillis,
    List<Long> lost,
    long flooded,
    long updatesShed,
    long readsShed) {

  /** The most that a replica lacks. */
  long mostLost() {
    return lost.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** When the last stale result came, after the attack; 0 if none came after it. */
  long lastStaleAfterAttackMillis() {
    return Math.max(0, sample.victims().lastStaleMillis() - updatingMillis);
  }

  Outcome outcome() {
    return new Outcome(reconcile, sample.updates().acknowledged(), lost);
  }
}
