package dev.tempest.simulator;

import dev.tempest.wire.Call;

/**
 * What a client asks for.
 *
 * @param tag a number that only this invocation carries in its arguments
 * @param update whether it is an update or a read
 * @param call as it travels
 */
record Invocation(long tag, boolean update, Call call) {}
