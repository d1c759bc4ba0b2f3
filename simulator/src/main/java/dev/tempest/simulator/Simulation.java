package dev.tempest.simulator;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs one seed: a world is drawn from it, its clients ask while things go wrong, then everything
 * heals, progress is demanded, and every promise is checked.
 *
 * <p>Runs are independent of each other: any thread may run any seed.
 */
public final class Simulation {
  /**
   * What to run.
   *
   * @param subject what the world is made of
   * @param scenario what goes wrong; null to draw it from the seed
   * @param listener is handed every line of the trace as it happens; null for none, which is faster
   * @param adopts whether replicas give up what others lack; then it is no violation that updates
   *     are missing, which {@link Report.Counts#givenUp} counts
   */
  public record Options(
      Subject subject,
      @Nullable Scenario scenario,
      @Nullable Consumer<String> listener,
      boolean adopts) {
    /** A service; draws the scenario from the seed, writes no trace, and loses nothing. */
    public static Options defaults() {
      return new Options(Subject.SERVICE, null, null, false);
    }

    /** The same about something else. */
    public Options withSubject(Subject chosen) {
      return new Options(chosen, scenario, listener, adopts);
    }

    /** The same with a scenario. */
    public Options withScenario(Scenario chosen) {
      return new Options(subject, chosen, listener, adopts);
    }

    /** The same with somebody to read the trace. */
    public Options withListener(Consumer<String> reader) {
      return new Options(subject, scenario, reader, adopts);
    }

    /** The same with replicas that give up what others lack, or keep it. */
    public Options withAdopts(boolean gives) {
      return new Options(subject, scenario, listener, gives);
    }
  }

  private Simulation() {}

  /** Runs one seed. */
  public static Report run(long seed, Options options) {
    return switch (options.subject()) {
      case SERVICE -> run(World.of(seed), options);
      case COLLECTIONS -> run(World.ofCollections(seed), options);
      case CONSENSUS -> new CountingWorld(seed, options.listener()).run();
      case LINEARIZABLE -> new LinearizableWorld(seed, options.listener()).run();
      case LOG -> new LogWorld(seed, options.listener()).run();
    };
  }

  private static Report run(World world, Options options) {
    world.adopts(options.adopts());
    if (options.scenario() != null) {
      world.scenario(options.scenario());
    }
    if (options.listener() != null) {
      world.listener(options.listener());
    }
    return run(world);
  }

  static Report run(World world) {
    List<Violation> violations;
    try {
      world.load();
      world.heal();
      violations = world.violations();
    } catch (Violation.Found found) {
      violations = List.of(found.violation());
    }
    return violations.isEmpty()
        ? new Report.Passed(world.seed(), world.scenario(), world.counts())
        : new Report.Failed(
            world.seed(), world.scenario(), world.counts(), violations, world.traceTail());
  }
}
