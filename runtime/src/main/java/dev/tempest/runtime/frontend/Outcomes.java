package dev.tempest.runtime.frontend;

import dev.tempest.Outcome;
import dev.tempest.protocol.frontend.Requests.Completion;
import dev.tempest.values.Bytes;
import dev.tempest.values.MalformedException;
import dev.tempest.wire.Answer;
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

  static <R> Outcome<R> of(Ending ending, Decoder<R> decoder) {
    return switch (ending) {
      case Ending.OfRequest(Completion.Answered(Answer answer)) -> of(answer, decoder);
      case Ending.OfRequest(Completion.Unknown(int attempts)) ->
          new Outcome.Unknown<>("no answer before the deadline; sent " + attempts + " times");
      case Ending.OfRequest(Completion.Closed closed) -> closed();
      case Ending.OfQuestion question -> throw new AssertionError("not a request: " + question);
      case Ending.OfParts parts -> throw new AssertionError("not one request: " + parts);
      case Ending.Cancelled cancelled -> new Outcome.Unknown<>("cancelled before an answer came");
      case Ending.Silence silence -> new Outcome.Unknown<>("no answer before the deadline");
      case Ending.Closed closed -> closed();
    };
  }

  private static <R> Outcome<R> closed() {
    return new Outcome.Unknown<>("the front-end is closed");
  }

  private static <R> Outcome<R> of(Answer answer, Decoder<R> decoder) {
    return switch (answer) {
      case Answer.Returned(Bytes result) -> decode(result, decoder);
      case Answer.Threw(String className, String message) ->
          new Outcome.Threw<>(className, message);
      case Answer.Refused refused ->
          new Outcome.Unable<>(refused.reason(), decoder.explain(refused));
    };
  }

  private static <R> Outcome<R> decode(Bytes result, Decoder<R> decoder) {
    try {
      return new Outcome.Ok<>(decoder.decode(result));
    } catch (MalformedException otherType) {
      return new Outcome.Unknown<>(
          "executed, but the result is not of the type declared here ("
              + otherType.getMessage()
              + "): is the server's interface another version?");
    }
  }
}
