package dev.tempest.runtime.frontend;

import dev.tempest.Outcome;
import dev.tempest.ServiceException;
import dev.tempest.UnableException;
import dev.tempest.service.execution.OpenTransaction;
import dev.tempest.service.execution.Result;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.service.execution.Transaction;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one try of a transaction. Each is answered at once, by a server that runs those
 * before it again and finds them as they were. The first try does not ask for calls that return
 * nothing: they are taken to have returned, until the next one or the commit finds that one has
 * not, and the transaction begins again. Belongs to the thread that makes it.
 */
final class TransactionCalls implements InvocationHandler {
  /** What the transaction has been told does not hold any more: it has to begin again. */
  static final class StaleException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StaleException() {
      super(
          "what this transaction has read was changed meanwhile: let this exception pass, and it"
              + " runs again",
          null,
          false,
          false);
    }
  }

  /** Its requests, as its service makes them. */
  interface Requests {
    /**
     * Puts one to the service.
     *
     * @throws UnableException if the time of the transaction is over
     */
    <T> Outcome<T> request(boolean update, Call call, Outcomes.Decoder<T> decoder);

    /** What is no method of the service. */
    @Nullable Object invokeLocally(
        Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable;

    /** The method of the service; null if it is none. */
    @Nullable ServiceMethod method(Method method);
  }

  private final Requests requests;
  private final boolean near;
  private final Thread owner = Thread.currentThread();
  private final OpenTransaction open;
  private boolean onlyReads = true;
  private boolean isStale;

  /** What time it was by the order when a try was found to be stale; else not yet known. */
  private long knownMillis;

  private boolean hasEnded;

  private TransactionCalls(Requests requests, boolean near, long knownMillis, long seed) {
    this.requests = requests;
    this.near = near;
    this.knownMillis = knownMillis;
    this.open = new OpenTransaction(knownMillis, seed);
  }

  /**
   * None yet. Any server answers them from what it has, which may be old.
   *
   * @param seed of the randomness that the methods see
   */
  static TransactionCalls first(Requests requests, long seed) {
    return new TransactionCalls(requests, true, Transaction.NOT_YET, seed);
  }

  /** None yet of the next try, which rests on reads that show everything. */
  TransactionCalls again(long seed) {
    return new TransactionCalls(requests, false, knownMillis, seed);
  }

  @Override
  public @Nullable Object invoke(
      Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    ServiceMethod called = requests.method(method);
    if (called == null) {
      return requests.invokeLocally(proxy, method, arguments);
    }
    requireOpen();
    onlyReads &= !called.isUpdate();
    if (near && called.resultType() == void.class && open.assume(called, arguments)) {
      return null;
    }
    Transaction asked = open.asking(called, arguments);
    Transaction.Reply.Answered answer = ask(asked);
    Object value =
        answer.outcome() instanceof Result.Returned(Bytes result)
            ? called.decodeResult(result)
            : null;
    open.answered(called, asked, answer);
    if (answer.outcome() instanceof Result.Threw(String className, String message)) {
      throw thrown(called, className, message);
    }
    return value;
  }

  private static Throwable thrown(ServiceMethod called, String className, String message) {
    Throwable declared = called.exceptions().remake(className, message);
    return declared != null
        ? declared
        : new ServiceException(new Outcome.Threw<>(className, message));
  }

  private void requireOpen() {
    if (hasEnded || !Thread.currentThread().equals(owner)) {
      throw new IllegalStateException(
          "a transaction belongs to the thread that began it, and has ended when its function"
              + " returns: make other calls on the client that you gave it");
    }
    if (isStale) {
      throw new StaleException();
    }
    if (open.size() == Transaction.CALLS_MAX) {
      throw new IllegalStateException(
          "a transaction makes at most %,d calls: divide it, or make one method of what it does"
              .formatted(Transaction.CALLS_MAX));
    }
  }

  private Transaction.Reply.Answered ask(Transaction asked) {
    int number = near ? Transaction.ASK_NEAR : Transaction.ASK;
    if (read(number, asked) instanceof Transaction.Reply.Answered answer) {
      return answer;
    }
    isStale = true;
    throw new StaleException();
  }

  private Transaction.Reply read(int number, Transaction asked) {
    Call call = new Call(number, asked.encode());
    Outcome<Transaction.Reply> outcome = requests.request(false, call, Transaction::readReply);
    if (outcome instanceof Outcome.Unknown<Transaction.Reply>(String detail)) {
      throw new UnableException(Outcome.Reason.ABORTED, "nothing was written: " + detail);
    }
    return Objects.requireNonNull(outcome.orThrow());
  }

  /** Whether it has to begin again, whatever its function has come to. */
  boolean isStale() {
    return isStale;
  }

  /** Whether what its function has come to rests on what may be old. */
  boolean isUnsure() {
    return near && open.size() > 0;
  }

  /** No call is made any more. */
  void end() {
    hasEnded = true;
  }

  /** Makes all of it count; false if it has to begin again. */
  boolean commit() {
    if (onlyReads && (!near || open.size() == 0)) {
      return true; // The last one has found that all hold, and shows everything.
    }
    Transaction all = open.committing();
    Transaction.Reply reply = onlyReads ? read(Transaction.ASK, all) : update(all);
    if (reply instanceof Transaction.Reply.Stale(long millis) && millis != Transaction.NOT_YET) {
      knownMillis = millis;
    }
    return reply instanceof Transaction.Reply.Committed;
  }

  private Transaction.Reply update(Transaction all) {
    Call call = new Call(Transaction.COMMIT, all.encode());
    Outcome<Transaction.Reply> outcome = requests.request(true, call, Transaction::readReply);
    return Objects.requireNonNull(outcome.orThrow());
  }
}
