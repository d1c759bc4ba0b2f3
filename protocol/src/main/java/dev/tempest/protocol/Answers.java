package dev.tempest.protocol;

import dev.tempest.service.execution.Result;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;

/** What the wire says about how an execution ended. */
public final class Answers {
  private Answers() {}

  /** The answer for a result. */
  public static Answer of(Result result) {
    return switch (result) {
      case Result.Returned(var value) -> new Answer.Returned(value);
      case Result.Threw(var className, var message) -> new Answer.Threw(className, message);
      case Result.UnknownMethod(var detail) -> new Answer.Refused(Reason.UNKNOWN_METHOD, detail);
      case Result.Unreadable(var detail) -> new Answer.Refused(Reason.SUSPENDED, detail);
      case Result.BadArguments(var detail) -> new Answer.Refused(Reason.BAD_ARGUMENTS, detail);
    };
  }
}
