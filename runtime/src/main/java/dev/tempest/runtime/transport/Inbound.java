package dev.tempest.runtime.transport;

import dev.tempest.wire.Frame;
import dev.tempest.wire.Message;

/** A frame that arrived, and how many bytes it was. */
record Inbound(PeerAddress from, Frame frame, int sizeBytes) {
  /** Whether there is a message of that kind. */
  boolean has(Class<? extends Message> kind) {
    for (Message message : frame.messages()) {
      if (kind.isInstance(message)) {
        return true;
      }
    }
    return false;
  }
}
