package dev.tempest;

import dev.tempest.wire.Answer;
import org.jspecify.annotations.Nullable;

/**
 * How a request ended, as a value.
 *
 * @param <R> what the method returns
 */
public sealed interface Outcome<R> {
  /**
   * Executed; {@code value} is what the method returned, null where it returned null or nothing.
   */
  record Ok<R>(@Nullable R value) implements Outcome<R> {}

  /**
   * Executed, and the method threw: nothing that it wrote was kept.
   *
   * @param className of the exception, as {@link Class#getName} gives it
   * @param message of the exception; empty if it has none
   */
  record Threw<R>(String className, String message) implements Outcome<R> {
    /** Class name and message in one line, for people. */
    public String what() {
      return message.isEmpty() ? className : className + ": " + message;
    }
  }

  /** Not executed, for {@code reason}; {@code detail} is for people. */
  record Unable<R>(Answer.Reason reason, String detail) implements Outcome<R> {}

  /** It may or may not have been executed; {@code detail} is for people. */
  record Unknown<R>(String detail) implements Outcome<R> {}

  /**
   * The value of an {@link Ok}.
   *
   * @throws ServiceException if the method threw
   * @throws UnableException if it was not executed
   * @throws UnknownOutcomeException if it may or may not have been executed
   */
  default @Nullable R orThrow() {
    return switch (this) {
      case Ok<R>(R value) -> value;
      case Threw<R> threw -> throw new ServiceException(threw);
      case Unable<R>(Answer.Reason reason, String detail) ->
          throw new UnableException(reason, detail);
      case Unknown<R>(String detail) -> throw new UnknownOutcomeException(detail);
    };
  }

  /** The value of an {@link Ok}, which may be null; of all others {@code other}. */
  default @Nullable R orElse(@Nullable R other) {
    return this instanceof Ok<R>(R value) ? value : other;
  }
}
