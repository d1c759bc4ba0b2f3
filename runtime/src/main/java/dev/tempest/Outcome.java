package dev.tempest;

import org.jspecify.annotations.Nullable;

/**
 * How a call ended, as a value.
 *
 * @param <R> what the method returns
 */
public sealed interface Outcome<R> {
  /** Executed; {@code value} is what the method returned, null for null and for {@code void}. */
  record Ok<R>(@Nullable R value) implements Outcome<R> {}

  /**
   * Executed, but the method threw an exception: all its writes were discarded.
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

  /** Not executed by any replica, for {@code reason}; {@code detail} is for people. */
  record Unable<R>(Reason reason, String detail) implements Outcome<R> {}

  /** May or may not have been executed; {@code detail} is for people. */
  record Unknown<R>(String detail) implements Outcome<R> {}

  /** Why a request was not executed. */
  enum Reason {
    /** No server hosts a service of that name. */
    UNKNOWN_SERVICE,
    /** The service has no such method, or has it as a read where this is an update. */
    UNKNOWN_METHOD,
    /** The arguments are not of the types that the service declares. */
    BAD_ARGUMENTS,
    /**
     * The server has no state yet, or its replica of the service has stopped: the detail says why.
     */
    NO_STATE,
    /** The front-end or the servers have too much to do, or too little memory; try again later. */
    OVERLOADED,
    /** No replica has caught up with what this {@link CausalChain} has seen. */
    BEHIND,
    /**
     * A transaction has written nothing: until its deadline others changed what it had read, each
     * time that it ran, or one of its calls was not answered.
     */
    ABORTED
  }

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
      case Unable<R>(Reason reason, String detail) -> throw new UnableException(reason, detail);
      case Unknown<R>(String detail) -> throw new UnknownOutcomeException(detail);
    };
  }

  /** The value of an {@link Ok}, which may be null; {@code other} in all other cases. */
  default @Nullable R orElse(@Nullable R other) {
    return this instanceof Ok<R>(R value) ? value : other;
  }
}
