package dev.tempest.spring.notes;

import java.util.concurrent.Semaphore;

/** How a test holds a request up. */
public final class SlowRequest {
  /** A permit for each request that has begun. */
  public static final Semaphore BEGUN = new Semaphore(0);

  /** A permit for each that may end. */
  public static final Semaphore MAY_END = new Semaphore(0);

  private SlowRequest() {}
}
