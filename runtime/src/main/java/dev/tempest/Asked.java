package dev.tempest;

import dev.tempest.protocol.frontend.Reads;
import dev.tempest.wire.Call;

/**
 * What is asked of a service.
 *
 * @param service the stable hash of its name
 * @param update whether it is an update or a read
 * @param reads whom to ask, if it is a read
 */
record Asked(long service, boolean update, Call call, Reads reads) {}
