package dev.tempest.runtime.frontend;

import dev.tempest.protocol.frontend.Requests;
import dev.tempest.wire.Message;
import dev.tempest.wire.Versions;
import java.util.List;

/** How something that was asked ended. */
sealed interface Ending {
  /** A request to a service ended. */
  record OfRequest(Requests.Completion completion) implements Ending {}

  /** A tool's question was answered. */
  record OfQuestion(Message answer) implements Ending {}

  /**
   * No server understands a request.
   *
   * @param why says which versions of the wire they speak, for people
   */
  record NotUnderstood(String why) implements Ending {}

  /**
   * No server has ever answered this front-end.
   *
   * @param from names them, and says what may be wrong, for people
   */
  record NeverHeard(int attempts, String from) implements Ending {}

  /** The server that a tool asked speaks only these versions of the wire. */
  record OtherVersions(Versions spoken) implements Ending {}

  /** Nobody answered a tool's question before the deadline. */
  record Silence() implements Ending {}

  /** Nobody waited for it any more. */
  record Cancelled() implements Ending {}

  /** What was asked as one has ended, each part for itself, in the order in which it was asked. */
  record OfParts(List<Ending> parts) implements Ending {
    public OfParts {
      parts = List.copyOf(parts);
    }
  }

  /** The front-end was closed. */
  record Closed() implements Ending {}
}
