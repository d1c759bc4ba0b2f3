package dev.tempest.protocol;

import dev.tempest.wire.Message;

/** What a replica wants done. */
public sealed interface Effect {
  /** Send a message, with no promise that it arrives. */
  record Send(Address to, Message message) implements Effect {}

  /**
   * Send a message to all other members of the view, by multicast where there is one, with no
   * promise that it arrives.
   */
  record Spread(Message message) implements Effect {}
}
