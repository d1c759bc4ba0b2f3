package dev.tempest.service.execution;

import dev.tempest.service.execution.Transaction.Reply;
import dev.tempest.service.execution.Transaction.Step;
import dev.tempest.service.execution.Transaction.Told;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the client of a {@link Transaction} has asked and was told so far, and all that is kept of
 * it: a server hears it anew with each call.
 *
 * <p>Not thread-safe.
 */
public final class OpenTransaction {
  private final long seed;
  private final List<Told> told = new ArrayList<>();
  private long beganMillis;

  /**
   * Nothing yet.
   *
   * @param beganMillis the time that the methods see, if it is known; else {@link
   *     Transaction#NOT_YET}, and whoever answers first says it
   * @param seed of the randomness that the methods see
   */
  public OpenTransaction(long beganMillis, long seed) {
    this.beganMillis = beganMillis;
    this.seed = seed;
  }

  /** How many calls were answered or assumed. */
  public int size() {
    return told.size();
  }

  /** What asks a server for the next call, by {@link Transaction#ASK}, say. */
  public Transaction asking(ServiceMethod method, @Nullable Object @Nullable ... arguments) {
    Step next = new Step(method.number(), method.encode(arguments));
    return new Transaction(beganMillis, seed, told, next);
  }

  /** A server has answered what {@link #asking} gave last. */
  public void answered(ServiceMethod method, Transaction asked, Reply.Answered answer) {
    Step step = asked.next();
    if (step == null) {
      throw new IllegalArgumentException("nothing was asked");
    }
    told.add(new Told(step, Transaction.digest(method, answer.outcome())));
    beganMillis = answer.beganMillis();
  }

  /** Goes on as if a method that returns nothing had returned: what is sent next finds out. */
  public void assumed(ServiceMethod method, @Nullable Object @Nullable ... arguments) {
    Result returned = new Result.Returned(method.encodeResult(null));
    Step step = new Step(method.number(), method.encode(arguments));
    told.add(new Told(step, Transaction.digest(method, returned)));
  }

  /**
   * What makes all of it count, by {@link Transaction#COMMIT}; by {@link Transaction#ASK}, what
   * tells whether it holds.
   */
  public Transaction committing() {
    return new Transaction(beganMillis, seed, told, null);
  }
}
