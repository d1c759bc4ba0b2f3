package dev.tempest;

/** The service's method threw: the request was executed, and nothing that it wrote was kept. */
public final class ServiceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Carries the simple class name and message of what the method threw. */
  public ServiceException(String what) {
    super(what);
  }
}
