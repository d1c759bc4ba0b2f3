package dev.tempest.runtime.frontend;

import dev.tempest.Outcome;
import dev.tempest.protocol.frontend.Requests.Completion;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Answer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes outcomes of what replicas answered. */
final class Outcomes {
  private Outcomes() {}

  /** Reads the result of a method. */
  @FunctionalInterface
  interface Decoder<R> {
    @Nullable R decode(Bytes result);

    /** What people are told of a refusal. */
    default String explain(Answer.Refused refused) {
      return refused.detail();
    }
  }

  /**
   * The outcome of a request.
   *
   * @param update whether it is an update
   * @param deadline that it had
   */
  static <R> Outcome<R> of(Ending ending, boolean update, Duration deadline, Decoder<R> decoder) {
    return switch (ending) {
      case Ending.OfRequest(Completion.Answered(Answer answer)) -> of(answer, decoder);
      case Ending.OfRequest(Completion.Unknown(int attempts, var refusal)) ->
          noReply(
              update,
              deadline,
              attempts,
              refusal == null
                  ? "."
                  : " from some servers; another one refuses it: %s."
                      .formatted(decoder.explain(refusal)));
      case Ending.NeverHeard(int attempts, String from) ->
          noReply(update, deadline, attempts, " " + from);
      case Ending.OfRequest(Completion.Closed closed) -> closed();
      case Ending.OfQuestion question -> throw new AssertionError("not a request: " + question);
      case Ending.OtherVersions others -> throw new AssertionError("not a request: " + others);
      case Ending.OfParts parts -> throw new AssertionError("not one request: " + parts);
      case Ending.Cancelled cancelled -> new Outcome.Unknown<>("Cancelled before the reply");
      case Ending.NotUnderstood(String why) -> new Outcome.Unknown<>(why);
      case Ending.Silence silence -> throw new AssertionError("not a request: " + silence);
      case Ending.Closed closed -> closed();
    };
  }

  private static <R> Outcome<R> noReply(
      boolean update, Duration deadline, int attempts, String from) {
    return new Outcome.Unknown<>(
        "No reply in "
            + text(deadline)
            + (attempts == 1 ? " (1 attempt)" : " (" + attempts + " attempts)")
            + from
            + (update ? " Read the value before retrying." : ""));
  }

  private static String text(Duration duration) {
    if (duration.toMillis() == 0) {
      return "less than 1 ms";
    }
    return duration.toMillisPart() == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
  }

  private static <R> Outcome<R> closed() {
    return new Outcome.Unknown<>("The front-end is closed");
  }

  private static <R> Outcome<R> of(Answer answer, Decoder<R> decoder) {
    return switch (answer) {
      case Answer.Returned(Bytes result) -> decode(result, decoder);
      case Answer.Threw(String className, String message) ->
          new Outcome.Threw<>(className, message);
      case Answer.Refused refused ->
          new Outcome.Unable<>(of(refused.reason()), decoder.explain(refused));
    };
  }

  private static Outcome.Reason of(Answer.Reason reason) {
    return switch (reason) {
      case UNKNOWN_SERVICE -> Outcome.Reason.UNKNOWN_SERVICE;
      case UNKNOWN_METHOD -> Outcome.Reason.UNKNOWN_METHOD;
      case BAD_ARGUMENTS -> Outcome.Reason.BAD_ARGUMENTS;
      case JOINING, SUSPENDED, STOPPED -> Outcome.Reason.NO_STATE;
      case OVERLOADED -> Outcome.Reason.OVERLOADED;
      case BEHIND -> Outcome.Reason.BEHIND;
      case STAMP_EXPIRED, STAMP_AHEAD, RESULT_FORGOTTEN ->
          throw new AssertionError("no request ends with this: " + reason);
    };
  }

  private static <R> Outcome<R> decode(Bytes result, Decoder<R> decoder) {
    try {
      return new Outcome.Ok<>(decoder.decode(result));
    } catch (MalformedException otherType) {
      return new Outcome.Unknown<>(
          "Executed, but the result is not of the type declared here ("
              + otherType.getMessage()
              + "). Do caller and server use the same version of the interface?");
    }
  }
}
