package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Answers;
import dev.tempest.protocol.Mix;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.service.execution.Execution;
import dev.tempest.service.execution.Result;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Footprint;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Executed;
import org.jspecify.annotations.Nullable;

/**
 * What entries make of versions: calls run, the writes of all others are applied, and at the
 * beginning of each epoch goes what has expired by then. The same entries in the same order give
 * the same everywhere.
 */
final class Replay {
  /** The answer of every change, which nobody asks for: one for all of them. */
  static final Answer NO_ANSWER = new Answer.Returned(Bytes.EMPTY);

  private final ServiceInstance service;
  private final int epochMillis;
  private @Nullable String cannot;

  Replay(ServiceInstance service, int epochMillis) {
    this.service = service;
    this.epochMillis = epochMillis;
  }

  int epochMillis() {
    return epochMillis;
  }

  long epochOf(Entry entry) {
    return epochOf(entry.stamp());
  }

  long epochOf(long stamp) {
    return Stamp.millis(stamp) / epochMillis;
  }

  /**
   * Executes or applies an entry that others have executed. If that cannot be done here, nothing
   * that comes of it from then on is the state.
   */
  Execution execution(Version before, Entry entry) {
    Execution execution = trial(before, entry);
    if (cannot == null && service.isAsked() && !isExecuted(execution.result())) {
      cannot = reason(execution.result());
    }
    return execution;
  }

  /** Why an entry could not be executed here since {@link #restart}; null if all could. */
  @Nullable String cannot() {
    return cannot;
  }

  /** What could not be executed here may not be needed any more. */
  void restart() {
    cannot = null;
  }

  /** Whether what was asked for was done, whatever came of it. */
  static boolean isExecuted(Result result) {
    return result instanceof Result.Returned || result instanceof Result.Threw;
  }

  private static String reason(Result result) {
    return switch (result) {
      case Result.UnknownMethod(String detail) -> detail;
      case Result.Unreadable(String detail) -> detail;
      case Result.BadArguments(String detail) -> detail;
      case Result.Returned returned -> "";
      case Result.Threw threw -> "";
    };
  }

  /** Executes or applies an entry that nobody may have executed. */
  Execution trial(Version before, Entry entry) {
    long millis = Stamp.millis(entry.stamp());
    return switch (entry.body()) {
      case Call(int method, Bytes arguments) ->
          service.update(before, method, arguments, millis, Mix.hash(entry.id()));
      case Change change -> service.apply(before, change.writes());
      case Executed executed -> service.apply(before, executed.writes());
    };
  }

  /** Whether an entry may be executed at another place of the order and the same comes of it. */
  boolean isCommutative(Entry entry) {
    return entry.body() instanceof Call(int method, Bytes arguments)
        && service.isCommutative(method);
  }

  /** On what the application of writes depends. */
  Footprint footprint(Entry entry) {
    return switch (entry.body()) {
      case Call call -> Footprint.EVERYTHING;
      case Change change -> footprint(change.writes());
      case Executed executed -> footprint(executed.writes());
    };
  }

  private Footprint footprint(Bytes writes) {
    Footprint footprint = service.footprint(writes);
    return footprint == null ? Footprint.NONE : footprint; // Then nothing is applied.
  }

  /** The answer to an entry that was executed or applied. */
  static Answer answer(Entry entry, Result result) {
    return switch (entry.body()) {
      case Call call -> Answers.of(result);
      case Change change -> NO_ANSWER;
      case Executed executed -> executed.answer(); // It was given, whatever came late since.
    };
  }

  /** The version at the beginning of an epoch. */
  Version begin(long epoch, Version version) {
    return service.expire(version, epoch * epochMillis);
  }

  Version upgrade(Version version) {
    return service.upgrade(version);
  }
}
