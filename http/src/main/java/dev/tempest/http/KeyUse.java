package dev.tempest.http;

import java.time.Instant;

/**
 * What a key was used for.
 *
 * @param request a hash of method, path, query and body
 * @param since when it was first used, by the clock of the server that was asked
 */
record KeyUse(String request, Instant since) {}
