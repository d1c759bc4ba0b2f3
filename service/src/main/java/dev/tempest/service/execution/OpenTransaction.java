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
  /** Of all arguments: a quarter of what a request may have, so that the commit has room. */
  static final int ASSUMED_MAX_BYTES = ServiceMethod.CONTENT_MAX_BYTES / 4;

  private final long seed;
  private final List<Told> told = new ArrayList<>();
  private long sizeBytes;
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
    add(new Told(step, Transaction.digest(method, answer.outcome())));
    beganMillis = answer.beganMillis();
  }

  /**
   * Goes on as if a method that returns nothing had returned: what is sent next finds out.
   *
   * @return false if all calls together have become so large that a server has to be asked whether
   *     they are too large
   */
  public boolean assume(ServiceMethod method, @Nullable Object @Nullable ... arguments) {
    Step step = new Step(method.number(), method.encode(arguments));
    if (sizeBytes + step.arguments().size() > ASSUMED_MAX_BYTES) {
      return false;
    }
    Result returned = new Result.Returned(method.encodeResult(null));
    add(new Told(step, Transaction.digest(method, returned)));
    return true;
  }

  private void add(Told next) {
    told.add(next);
    sizeBytes += next.step().arguments().size();
  }

  /**
   * What makes all of it count, by {@link Transaction#COMMIT}; by {@link Transaction#ASK}, what
   * tells whether it holds.
   */
  public Transaction committing() {
    return new Transaction(beganMillis, seed, told, null);
  }
}
