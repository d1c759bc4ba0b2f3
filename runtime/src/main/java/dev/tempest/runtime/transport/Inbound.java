package dev.tempest.runtime.transport;

import dev.tempest.wire.Frame;

/** A frame that arrived, and how many bytes it was. */
record Inbound(PeerAddress from, Frame frame, int sizeBytes) {}
