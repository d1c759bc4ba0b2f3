package dev.tempest.protocol.order;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.state.versioned.Version;
import dev.tempest.wire.Message.ServiceStatus;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.Seen;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One replica of a service, as its host knows it, whatever decides in which order updates count.
 *
 * <p>Takes events, which carry the time, and returns effects; does no I/O. Guarantees that a
 * request counts at most once, however often it arrives. What an answer promises is the matter of
 * each order.
 *
 * <p>Not thread-safe: its owner calls it from one thread at a time.
 */
public interface Replica {
  /** So long one that joins waits for others that had state and are gone, from their last word. */
  int GONE_MILLIS = 60_000;

  /** Takes an event, returns what has to be done about it. */
  List<Effect> step(Event event);

  /** When the next {@link Event.Tick} is due, on the clock of the events. */
  long nextTickNanos();

  /** Whether it has state and serves. */
  boolean isActive();

  /** Whether it has no state, and waits to take the place of one that ends. */
  default boolean isSpare() {
    return false;
  }

  /**
   * What threads of this process may read without asking others; null for nothing. To be asked
   * after each step, since it may look at what has come.
   */
  default @Nullable ReadsAlone readsAlone() {
    return null;
  }

  /** The state after all that was executed here, without what has expired by the latest tick. */
  Version version();

  /**
   * The same with all that this process wrote, but maybe without what others wrote and has come
   * since {@link #version} was last called: to take that into account can take long. On it this
   * process executes what it writes next.
   */
  Stand stand();

  /** Whether the update was executed here, or elsewhere and its effect is here. */
  boolean hasExecuted(RequestId id);

  /** Whether it may have executed updates of a client that it does not know any more. */
  boolean mayHaveForgotten(long client);

  /**
   * Whether nothing more should be written for now: so much waits for other replicas to have it.
   * What is written nevertheless is not lost.
   */
  boolean isFull();

  /**
   * Whether this process should wait before it writes more: another replica, which answers, lacks
   * much of what it wrote. What is written nevertheless is not lost.
   */
  boolean isAhead();

  /**
   * Whether another member is known to have all that was executed here before {@link
   * Event.Leaving}, so that this process can end and nothing is lost; also if there is no other.
   */
  boolean isHandedOver();

  /**
   * The time by which updates count, in milliseconds since 1970: that of the latest event, unless
   * the clocks of the other replicas are far from it.
   */
  long nowMillis();

  /**
   * How many updates have come to count, since this replica was made, before others that had been
   * acted on: if the number has grown, {@link #version} shows what was missing. Where an update
   * that counts keeps its place, 0.
   */
  default long reconciled() {
    return 0;
  }

  /** All that was executed here, as a handle says it; null if that is more than one holds. */
  @Nullable Seen seen();

  /** Whether all that a handle says was executed here. */
  boolean hasSeen(Seen seen);

  /** All that was executed here, as of now; null while there is no state. */
  @Nullable Checkpoint checkpoint();

  /** Counts for people. */
  ServiceStatus status(String name);

  /**
   * Checks what has to hold after every step; for simulations. Throws {@link AssertionError} if it
   * does not.
   */
  void checkInvariants();
}
