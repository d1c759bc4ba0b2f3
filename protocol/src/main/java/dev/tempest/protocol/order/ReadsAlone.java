package dev.tempest.protocol.order;

import dev.tempest.state.versioned.Home.Certain;

/**
 * What whoever reads at a replica need not ask others for.
 *
 * @param certain all that counts anywhere, but for what is about to
 * @param millis the time by which all of that counts, milliseconds since 1970: what has expired by
 *     then is gone
 * @param untilNanos on the clock of the events; from then on others have to be asked
 */
public record ReadsAlone(Certain certain, long millis, long untilNanos) {}
