package dev.tempest;

/**
 * The service's method threw an exception that its interface does not declare: the request was
 * executed, its writes were discarded. The server has logged the stack trace.
 */
public final class ServiceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String className;

  /** Carries the class name and message of what the method threw. */
  public ServiceException(Outcome.Threw<?> threw) {
    super(threw.what());
    this.className = threw.className();
  }

  /** The class of the exception that the method threw, as {@link Class#getName} gives it. */
  public String className() {
    return className;
  }
}
