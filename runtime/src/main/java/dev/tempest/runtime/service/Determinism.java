package dev.tempest.runtime.service;

import static java.util.stream.Collectors.joining;

import dev.tempest.config.ServiceOptions;
import dev.tempest.config.ServiceOptions.Execute;
import dev.tempest.runtime.LogLines;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where every replica executes every update, what differs from process to process stays out. */
final class Determinism {
  /** More would fill the screen. */
  private static final int FINDINGS_SHOWN = 5;

  private static final System.Logger LOGGER = LogLines.logger(Determinism.class);

  private Determinism() {}

  /**
   * What is wrong with a service class; null if nothing is, or one replica executes. Logs what may
   * be wrong.
   */
  static @Nullable String complaint(String service, Class<?> type, ServiceOptions options) {
    List<Finding> findings =
        options.execute() == Execute.ALL
            ? DeterminismCheck.of(type, options.unchecked())
            : List.of();
    List<Finding> certain = findings.stream().filter(Finding::isCertain).toList();
    if (!certain.isEmpty()) {
      return "the service '"
          + service
          + "' would come to another state at every replica:"
          + list(certain);
    }
    if (!findings.isEmpty()) {
      LOGGER.log(
          Level.WARNING,
          "The service {0} may come to another state at every replica. Correct it, or list the"
              + " class as unchecked if its state does not depend on this:{1}",
          service,
          list(findings));
    }
    return null;
  }

  private static String list(List<Finding> findings) {
    String shown =
        findings.stream().limit(FINDINGS_SHOWN).map(each -> "\n  " + each).collect(joining());
    int more = findings.size() - FINDINGS_SHOWN;
    return shown + (more > 0 ? "\n  and " + more + " more" : "");
  }
}
