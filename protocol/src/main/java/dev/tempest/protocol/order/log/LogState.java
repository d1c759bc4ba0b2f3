package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.Applied;
import dev.tempest.wire.LogPoint;

/** What all entries before a slot have led to. Immutable. */
record LogState(LogPoint point, Applied applied) {}
