package dev.tempest;

import dev.tempest.protocol.frontend.Requests;
import dev.tempest.wire.Message;

/** How something that was asked ended. */
sealed interface Ending {
  /** A request to a service ended. */
  record OfRequest(Requests.Completion completion) implements Ending {}

  /** A tool's question was answered. */
  record OfQuestion(Message answer) implements Ending {}

  /** Nobody answered a tool's question before the deadline. */
  record Silence() implements Ending {}

  /** The front-end was closed. */
  record Closed() implements Ending {}
}
