package dev.tempest.service.execution;

import dev.tempest.state.versioned.Footprint;
import dev.tempest.state.versioned.UnreadableValueException;
import dev.tempest.state.versioned.Version;
import dev.tempest.state.versioned.VersionedAction;
import dev.tempest.state.versioned.VersionedState;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.values.encoding.UserCode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Executes the calls of a {@link Transaction} on one version, as one action. Thread-safe. */
final class Transactions {
  private static final Result STALE = stale(Transaction.NOT_YET);
  private static final Result COMMITTED =
      new Result.Returned(Transaction.encode(new Transaction.Reply.Committed()));

  private final ServiceInterface description;
  private final VersionedState state;
  private final Methods methods;

  Transactions(ServiceInterface description, VersionedState state, Methods methods) {
    this.description = description;
    this.state = state;
    this.methods = methods;
  }

  /** What the next call comes to; nothing changes by it. */
  Result ask(Version version, Bytes arguments, long nowMillis) {
    Transaction transaction;
    try {
      transaction = Transaction.read(arguments);
    } catch (MalformedException malformed) {
      return bad(malformed.getMessage());
    }
    long millis = transaction.millis(nowMillis);
    VersionedAction action = state.begin(version, millis, transaction.seed());
    try {
      Result wrong = repeat(transaction, action);
      if (wrong != null) {
        return wrong;
      }
      Transaction.Step next = transaction.next();
      if (next == null) {
        return COMMITTED;
      }
      Result result = run(next, action);
      return hasRun(result)
          ? new Result.Returned(Transaction.encode(new Transaction.Reply.Answered(millis, result)))
          : result;
    } finally {
      action.abort();
    }
  }

  /** All of it counts if what was told still holds. */
  Execution commit(Version before, Bytes arguments, long nowMillis, @Nullable ByteWriter writes) {
    Transaction transaction;
    try {
      transaction = Transaction.read(arguments);
    } catch (MalformedException malformed) {
      return new Execution(before, bad(malformed.getMessage()), Footprint.NONE);
    }
    if (transaction.isOff(nowMillis)) {
      return new Execution(before, stale(nowMillis), Footprint.NONE);
    }
    VersionedAction action =
        state.beginTraced(before, transaction.millis(nowMillis), transaction.seed());
    try {
      Result result = repeat(transaction, action);
      if (result == null) {
        if (writes != null) {
          state.writeChange(action.change(), writes);
        }
        Version after = action.commit();
        return new Execution(after, COMMITTED, action.footprint(), action.writtenBytes());
      }
      return none(action, result.equals(STALE) ? stale(nowMillis) : result, writes);
    } catch (Exception | Error thrown) { // Of what it wrote, and its classes.
      String message = text(UserCode.message(thrown));
      Result failed =
          thrown instanceof UnreadableValueException
              ? new Result.Unreadable(message)
              : new Result.Threw(thrown.getClass().getName(), message);
      return none(action, failed, writes);
    }
  }

  private static Execution none(
      VersionedAction action, Result result, @Nullable ByteWriter writes) {
    action.abort();
    if (writes != null) {
      writes.reset();
    }
    Footprint footprint = hasRun(result) ? action.footprint() : Footprint.NONE;
    return new Execution(action.before(), result, footprint);
  }

  /** Runs what was told; null if each call comes to the same again. */
  private @Nullable Result repeat(Transaction transaction, VersionedAction action) {
    for (Transaction.Told told : transaction.told()) {
      Result result = run(told.step(), action);
      if (!hasRun(result)) {
        return result;
      }
      if (!digest(told.step(), result).equals(told.outcome())) {
        return STALE;
      }
    }
    return null;
  }

  private Bytes digest(Transaction.Step step, Result result) {
    ServiceMethod method = Objects.requireNonNull(description.method(step.method()));
    return Transaction.digest(method, result);
  }

  /** A call that throws leaves nothing, and the transaction goes on. */
  private Result run(Transaction.Step step, VersionedAction action) {
    int index = description.indexOf(step.method());
    if (index < 0) {
      return methods.unknown(step.method(), "a method");
    }
    VersionedAction.Savepoint before = action.savepoint();
    action.onlyReads(!description.methods().get(index).isUpdate());
    Result result;
    try {
      result = methods.run(methods.prepare(index, step.arguments()));
    } catch (MalformedException malformed) {
      result = methods.malformed(index, malformed);
    }
    if (!(result instanceof Result.Returned)) {
      action.backTo(before);
    }
    return result;
  }

  private static Result stale(long millis) {
    return new Result.Returned(Transaction.encode(new Transaction.Reply.Stale(millis)));
  }

  private static boolean hasRun(Result result) {
    return result instanceof Result.Returned || result instanceof Result.Threw;
  }

  private static Result bad(@Nullable String why) {
    return new Result.BadArguments(text("no transaction: " + why));
  }

  private static String text(@Nullable String text) {
    return Methods.shortened(String.valueOf(text));
  }
}
