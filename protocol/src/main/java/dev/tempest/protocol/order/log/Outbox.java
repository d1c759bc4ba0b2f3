package dev.tempest.protocol.order.log;

import dev.tempest.wire.LogMessage;

/** Takes what is to be said to another replica. */
interface Outbox {
  void send(long to, LogMessage message);
}
