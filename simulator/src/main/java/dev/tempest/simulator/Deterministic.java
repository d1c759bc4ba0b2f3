package dev.tempest.simulator;

import java.util.List;

/** No replica has said that its state is another one than that of the same updates elsewhere. */
final class Deterministic implements Checker {
  @Override
  public List<Violation> check(Evidence evidence) {
    return evidence.divergences().stream()
        .map(each ->
            new Violation(
                Violation.Kind.DIVERGED,
                each.replica() + " said that it differs in " + each.collections()))
        .toList();
  }
}
