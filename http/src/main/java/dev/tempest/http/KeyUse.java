package dev.tempest.http;

import java.time.Instant;

/**
 * What a key was used for.
 *
 * @param request the name of the request: of the call under the key, see {@link
 *     dev.tempest.Request#name}
 * @param body a hash of path and body, from which the call was made
 * @param since when it was first used, by the clock of the server that was asked
 */
record KeyUse(String request, String body, Instant since) {}
