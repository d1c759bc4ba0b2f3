package dev.tempest.config.file;

import dev.tempest.config.Consistency;
import dev.tempest.config.ServiceOptions;
import dev.tempest.config.ServiceOptions.Execute;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The words for the consistency of a service. Some say as well who executes its updates. */
enum ServiceConsistency {
  EVENTUAL(Consistency.EVENTUAL, null),
  LINEARIZABLE(Consistency.LINEARIZABLE, null),
  REPLICATED(Consistency.LINEARIZABLE, Execute.ANY),
  STATE_MACHINE(Consistency.LINEARIZABLE, Execute.ALL),
  PRIMARY_BACKUP(Consistency.PRIMARY_BACKUP, null);

  private final Consistency consistency;
  private final @Nullable Execute execute;

  /**
   * @param execute null if that is chosen apart
   */
  ServiceConsistency(Consistency consistency, @Nullable Execute execute) {
    this.consistency = consistency;
    this.execute = execute;
  }

  /** Who executes, if the word says that. */
  Optional<Execute> execute() {
    return Optional.ofNullable(execute);
  }

  /** Options that say nothing else. */
  ServiceOptions.Builder options() {
    var options = ServiceOptions.builder().consistency(consistency);
    return execute == null ? options : options.execute(execute);
  }
}
