package dev.tempest.runtime.service;

import static java.util.stream.Collectors.joining;

import dev.tempest.config.ServiceOptions;
import dev.tempest.config.ServiceOptions.Execute;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where every replica executes every update, what differs from process to process stays out. */
final class Determinism {
  /** More would fill the screen. */
  private static final int CALLS_SHOWN = 5;

  private Determinism() {}

  /** What is wrong with a service class; null if nothing is, or one replica executes. */
  static @Nullable String complaint(String service, Class<?> type, ServiceOptions options) {
    List<ProcessCall> calls =
        options.execute() == Execute.ALL
            ? DeterminismCheck.of(type, options.unchecked())
            : List.of();
    if (calls.isEmpty()) {
      return null;
    }
    String shown = calls.stream().limit(CALLS_SHOWN).map(call -> "\n  " + call).collect(joining());
    int more = calls.size() - CALLS_SHOWN;
    return "the service '"
        + service
        + "' would come to another state at every replica:"
        + shown
        + (more > 0 ? "\n  and " + more + " more" : "");
  }
}
