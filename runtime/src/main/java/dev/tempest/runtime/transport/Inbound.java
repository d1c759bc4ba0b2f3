package dev.tempest.runtime.transport;

import dev.tempest.wire.Frame;

/** A frame that arrived by stream. */
record Inbound(PeerAddress from, Frame frame) {}
