package dev.tempest.wire;

import dev.tempest.values.encoding.Bytes;

/** What a replica says to a request. */
public sealed interface Answer {
  /** How many bytes its contents have, about. */
  default int sizeBytes() {
    return switch (this) {
      case Returned(Bytes result) -> result.size();
      case Threw(String className, String message) -> className.length() + message.length();
      case Refused(Reason reason, String detail) -> detail.length();
    };
  }

  /** Executed; {@code result} is encoded by the method's declared return type. */
  record Returned(Bytes result) implements Answer {}

  /**
   * The method threw: nothing that it wrote was kept.
   *
   * @param className of the exception
   * @param message of the exception, empty if it has none
   */
  record Threw(String className, String message) implements Answer {
    /** Cuts what exceeds 1,024 characters: whatever a service throws can be sent. */
    public Threw {
      className = Fields.cut(className);
      message = Fields.cut(message);
    }
  }

  /** Not executed here, for {@code reason}; {@code detail} is for people. */
  record Refused(Reason reason, String detail) implements Answer {
    /** Cuts what exceeds 1,024 characters. */
    public Refused {
      detail = Fields.cut(detail);
    }
  }

  /** Why a request was not executed. Each has a number of its own on the wire, not its ordinal. */
  enum Reason {
    /**
     * No such service on this server; the detail is the names of those that it hosts, with commas.
     */
    UNKNOWN_SERVICE,
    /** The service has no such method, or the method is of the other kind. */
    UNKNOWN_METHOD,
    /** The arguments do not decode as the method declares them. */
    BAD_ARGUMENTS,
    /** The replica has no state yet; ask another one. */
    JOINING,
    /** The stamp lies in a closed epoch: stamp the request again, keeping its id. */
    STAMP_EXPIRED,
    /**
     * The stamp lies too far ahead of the replica's clock: stamp the request again, keeping its id.
     */
    STAMP_AHEAD,
    /** Executed so long ago that its result is forgotten. */
    RESULT_FORGOTTEN,
    /** A limit was reached; later there may be room again. */
    OVERLOADED,
    /** The replica lacks some of what the client has seen; another one may have it. */
    BEHIND,
    /** The replica cannot execute what others have executed; ask another one. */
    SUSPENDED,
    /** The replica has stopped, and this process goes on without it. */
    STOPPED
  }
}
