package dev.tempest.state.versioned;

import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where a {@link VersionedState} lives that is used outside of services: it knows the newest
 * version and who executes an action, and turns every write of a collection into an action of its
 * own unless one is under way.
 *
 * <p>Thread-safe.
 */
public interface Home {
  /**
   * What counts, as far as that is certain.
   *
   * @param version has all of it but for what was written to some keys
   * @param except those keys
   */
  record Certain(Version version, WrittenKeys except) {}

  /** The newest version, for reads outside of actions. To know it may take asking others. */
  Version published();

  /** What is certain without asking others; null if {@link #published} says all there is to say. */
  default @Nullable Certain certain() {
    return null;
  }

  /** The time by which reads outside of actions see entries expire, milliseconds since 1970. */
  long nowMillis();

  /** By which threads measure how long they wait, from whenever; 0 where none does. */
  default long nowNanos() {
    return 0;
  }

  /** The action that the calling thread executes; null if it executes none. */
  @Nullable VersionedAction action();

  /**
   * Writes in the action of the calling thread, which {@link VersionedState#begin} has begun, or
   * begins one and commits it at the end; waits while another thread executes one.
   *
   * @param writes if it throws, what it has written by then is kept where writes apply at once, and
   *     dropped where others have to agree. There it may be called again, in another action, if
   *     what it read has changed before it could commit
   */
  <T extends @Nullable Object> T write(Function<VersionedAction, T> writes);

  /**
   * Writes some time soon, in an action of another thread; the caller neither waits for it nor
   * hears of it. A home whose threads do not read outside of actions may do so at once.
   */
  default void later(Runnable write) {
    write.run();
  }

  /** Throws if the calling thread, which may wait, is interrupted; there may be no such thread. */
  default void requireUninterrupted() throws InterruptedException {}

  /**
   * Waits until something holds for the version that is here, which may be older than {@link
   * #published()}: others are not asked.
   *
   * @return the nanoseconds that are left of the timeout, 0 or less if it did not hold within it
   */
  long awaitShown(Predicate<Version> holds, long timeoutNanos) throws InterruptedException;
}
