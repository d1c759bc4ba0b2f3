package dev.tempest.runtime;

/**
 * How a server runs one of its services; the same at all servers. Immutable.
 *
 * @param adopts whether, of two replicas that each lack what the other has, the one with fewer
 *     updates gives its own up; else both keep everything
 * @param executeAny whether one server executes each update, any, and the others apply what it
 *     wrote; else all execute it
 */
public record ServiceOptions(boolean adopts, boolean executeAny) {
  /** What applies where nothing is said. */
  public static final ServiceOptions DEFAULTS = new ServiceOptions(false, false);

  /** The same with replicas that give up what others lack, or keep it. */
  public ServiceOptions withAdopts(boolean gives) {
    return new ServiceOptions(gives, executeAny);
  }

  /** The same with updates that any one server executes, or all. */
  public ServiceOptions withExecuteAny(boolean any) {
    return new ServiceOptions(adopts, any);
  }
}
