package dev.tempest.simulator;

import java.util.List;

/** How the simulation of one seed ended. */
public sealed interface Report {
  /** The seed that gives the same run again. */
  long seed();

  /** What went wrong in the world. */
  Scenario scenario();

  /** How much happened. */
  Counts counts();

  /** Every promise was kept. */
  record Passed(long seed, Scenario scenario, Counts counts) implements Report {}

  /**
   * A promise was broken.
   *
   * @param violations what was found, the first first; at least one
   * @param trace the last lines of the trace
   */
  record Failed(
      long seed, Scenario scenario, Counts counts, List<Violation> violations, List<String> trace)
      implements Report {
    /** Takes copies. */
    public Failed {
      violations = List.copyOf(violations);
      trace = List.copyOf(trace);
    }
  }

  /**
   * How much happened in a run.
   *
   * @param replicas how many replicas there were
   * @param frontEnds how many front-ends there were
   * @param steps inputs that machines took
   * @param virtualMillis how long it was for those inside
   * @param updates that clients asked for
   * @param reads that clients asked for
   * @param writes of processes into their collections
   * @param unknown outcomes that stayed unknown
   * @param datagrams sent, streams included
   * @param lost datagrams
   * @param damaged datagrams, all of which were noticed
   * @param crashes losses of memory
   * @param reruns entries executed again because of earlier ones that came later
   * @param repaired entries that came by gossip
   * @param acknowledged updates that a replica said to have executed
   * @param givenUp how many of those a replica lacks at the end, although one that had executed it
   *     never lost its memory
   * @param undecided collections of which too much was told to search it for an order that explains
   *     it
   * @param traceHash equal for equal runs
   */
  record Counts(
      int replicas,
      int frontEnds,
      long steps,
      long virtualMillis,
      long updates,
      long reads,
      long writes,
      long unknown,
      long datagrams,
      long lost,
      long damaged,
      long crashes,
      long reruns,
      long repaired,
      long acknowledged,
      long givenUp,
      long undecided,
      long traceHash) {}
}
