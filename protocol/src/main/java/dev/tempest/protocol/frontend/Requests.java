package dev.tempest.protocol.frontend;

import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.Message;
import java.util.List;

/**
 * The requests of one front-end incarnation: names them, stamps them, sends them again until
 * answered.
 */
public final class Requests {

  /** What happens to it. Times as in {@link dev.tempest.protocol.Event}. */
  public sealed interface Event {
    /** When it happens. */
    long nowNanos();

    /** Time has passed. */
    record Tick(long nowNanos) implements Event {}

    /**
     * The application asks.
     *
     * @param ticket comes back in {@link Effect.Complete}
     * @param update whether the method is an update or a read
     * @param deadlineNanos when to give up
     */
    record Submit(
        long nowNanos, long ticket, long service, boolean update, Call call, long deadlineNanos)
        implements Event {}

    /** A replica answered. */
    record Received(long nowNanos, Message.Reply reply) implements Event {}
  }

  /** What it wants done. */
  public sealed interface Effect {
    /** Send to all replicas of the service, with no promise that it arrives at any. */
    record Multicast(long service, Message message) implements Effect {}

    /** Send to one replica, with no promise that it arrives. */
    record Send(long replica, Message message) implements Effect {}

    /** Tell the application. Exactly one per ticket. */
    record Complete(long ticket, Completion completion) implements Effect {}
  }

  /** How a request ended. */
  public sealed interface Completion {
    /** Replicas answered: it was executed, or all the alternatives refused. */
    record Answered(Answer answer) implements Completion {}

    /** The deadline passed: it may or may not have been executed. {@code attempts} were sent. */
    record Unknown(int attempts) implements Completion {}
  }

  /**
   * How requests are sent and repeated.
   *
   * @param client 64 random bits of this incarnation
   * @param replicas the ids of all replicas, ascending
   * @param acks how many replicas must have executed an update before it completes
   * @param retryAfterMillis how long to wait for the first answer before sending again
   */
  public record Settings(long client, List<Long> replicas, int acks, int retryAfterMillis) {}

  /** No requests yet. */
  public Requests(Settings settings) {
    throw new UnsupportedOperationException("in work");
  }

  /** Takes an event, returns what has to be done about it. */
  public List<Effect> step(Event event) {
    throw new UnsupportedOperationException("in work");
  }

  /** When the next {@link Event.Tick} is due; {@link Long#MAX_VALUE} if none is. */
  public long nextTickNanos() {
    throw new UnsupportedOperationException("in work");
  }
}
