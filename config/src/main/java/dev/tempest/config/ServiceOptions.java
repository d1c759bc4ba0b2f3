package dev.tempest.config;

import java.util.List;

/**
 * How nodes host a service; the same at every node that hosts it. Immutable; {@link #DEFAULT} has
 * the defaults, the {@code with} methods change one thing each.
 *
 * @param execute which replicas execute an update
 * @param reconcile what two replicas do that have executed different updates
 * @param unchecked classes and packages that may use clocks and random numbers of their process,
 *     because nothing of it enters the state
 */
public record ServiceOptions(Execute execute, Reconcile reconcile, List<String> unchecked) {
  /** What applies where nothing is said: all execute, both keep everything, all code is checked. */
  public static final ServiceOptions DEFAULT =
      new ServiceOptions(Execute.ALL, Reconcile.MERGE, List.of());

  /** Which replicas execute an update. */
  public enum Execute {
    /** All of them: the service must be deterministic. */
    ALL,
    /** One of them; the others apply what it wrote. */
    ANY
  }

  /** What two replicas do that have executed different updates. */
  public enum Reconcile {
    /** Both execute what the other has; no update is lost. */
    MERGE,
    /** One gives up its own updates and takes those of the other. */
    ADOPT
  }

  /**
   * Refuses what cannot be the name of a class or package.
   *
   * @throws IllegalArgumentException if one of {@code unchecked} cannot
   */
  public ServiceOptions {
    unchecked = List.copyOf(unchecked);
    unchecked.forEach(ServiceConfig::checkClass);
  }

  /** The same with updates that all replicas execute, or any one. */
  public ServiceOptions withExecute(Execute chosen) {
    return new ServiceOptions(chosen, reconcile, unchecked);
  }

  /** The same with replicas that keep everything, or give up what others lack. */
  public ServiceOptions withReconcile(Reconcile chosen) {
    return new ServiceOptions(execute, chosen, unchecked);
  }

  /** The same with these classes and packages, and no others, unchecked. */
  public ServiceOptions withUnchecked(String... names) {
    return new ServiceOptions(execute, reconcile, List.of(names));
  }
}
