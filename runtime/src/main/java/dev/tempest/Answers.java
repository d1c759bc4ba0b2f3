package dev.tempest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How each of several requests that were made at once ended.
 *
 * <p>Immutable.
 */
public final class Answers {
  /** In the order in which they were asked. */
  private final Map<Request<?>, Outcome<?>> outcomes = new LinkedHashMap<>();

  Answers(List<? extends Request<?>> requests, List<Outcome<?>> outcomes) {
    for (int i = 0; i < requests.size(); i++) {
      this.outcomes.put(requests.get(i), outcomes.get(i));
    }
  }

  /**
   * How a request ended. One without an answer in time is {@link Outcome.Unknown}: an update may or
   * may not have been executed.
   *
   * @throws IllegalArgumentException if it is not one of the requests that were made
   */
  public <R> Outcome<R> of(Request<R> request) {
    @SuppressWarnings("unchecked") // Its own invocation made the outcome.
    Outcome<R> outcome = (Outcome<R>) outcomes.get(request);
    if (outcome == null) {
      throw new IllegalArgumentException(
          request + " is not one of these requests: " + outcomes.keySet());
    }
    return outcome;
  }

  /** Whether every request was executed and its method returned. */
  public boolean areWhole() {
    return missing().isEmpty();
  }

  /** The requests without a value, in the order in which they were asked. */
  public List<Request<?>> missing() {
    List<Request<?>> missing = new ArrayList<>();
    outcomes.forEach((request, outcome) -> {
      if (!(outcome instanceof Outcome.Ok)) {
        missing.add(request);
      }
    });
    return missing;
  }

  /** Each request and how it ended, for people. */
  @Override
  public String toString() {
    return outcomes.toString();
  }
}
