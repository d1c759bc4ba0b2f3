package dev.tempest.simulator;

import java.util.List;

/** Judges a run by one promise. */
@FunctionalInterface
interface Checker {
  /** What was broken; none if the promise was kept. */
  List<Violation> check(Evidence evidence);

  /** All that are applied to every run. */
  static List<Checker> all() {
    return List.of(
        new Convergence(),
        new Deterministic(),
        new ExactlyOnce(),
        new SequentialEquivalence(),
        new SurvivingUpdates(),
        new Answers(),
        new CausalChains(),
        new ClientOrder(),
        new Outcomes());
  }
}
