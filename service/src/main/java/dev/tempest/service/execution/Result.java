package dev.tempest.service.execution;

import dev.tempest.values.encoding.Bytes;

/** How the execution of a service method ended. */
public sealed interface Result {
  /** It returned; {@code value} is encoded by the declared return type. */
  record Returned(Bytes value) implements Result {}

  /**
   * It threw: its writes are dropped.
   *
   * @param className of the exception as {@link Class#getName} gives it; of a subclass of one that
   *     the method declares, the declared one's
   * @param message of the exception; empty if it has none
   */
  record Threw(String className, String message) implements Result {}

  /** It was not run: no such method, or one of the other kind. */
  record UnknownMethod(String detail) implements Result {}

  /** It was not run to its end: it came to something that only other code can read. */
  record Unreadable(String detail) implements Result {}

  /** It was not run: the arguments do not decode as declared. */
  record BadArguments(String detail) implements Result {}
}
