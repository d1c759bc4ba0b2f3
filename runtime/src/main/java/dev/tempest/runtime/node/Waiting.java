package dev.tempest.runtime.node;

import dev.tempest.protocol.Address;
import dev.tempest.wire.Message;

/** A request that waits for its turn, who wants to know, and since when it waits. */
record Waiting<M extends Message.RequestMessage>(
    Address from, M request, int sizeBytes, long sinceNanos) {}
