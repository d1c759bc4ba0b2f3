package dev.tempest.service;

import dev.tempest.values.Bytes;

/** How the execution of a service method ended. */
public sealed interface Result {
  /** It returned; {@code value} is encoded by the declared return type. */
  record Returned(Bytes value) implements Result {}

  /**
   * It threw: its writes are dropped. {@code what} is the exception's simple class name and
   * message.
   */
  record Threw(String what) implements Result {}

  /** It was not run: no such method, or one of the other kind. */
  record UnknownMethod(String detail) implements Result {}

  /** It was not run: the arguments do not decode as declared. */
  record BadArguments(String detail) implements Result {}
}
