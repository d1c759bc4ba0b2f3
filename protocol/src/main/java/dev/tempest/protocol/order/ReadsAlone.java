package dev.tempest.protocol.order;

import dev.tempest.state.versioned.Home.Certain;

/**
 * What threads of a process may read at its replica without asking others.
 *
 * @param certain what has come to count anywhere, until then
 * @param untilNanos on the clock of the events; from then on others have to be asked
 */
public record ReadsAlone(Certain certain, long untilNanos) {}
