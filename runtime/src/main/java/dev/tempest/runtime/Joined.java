package dev.tempest.runtime;

import org.jspecify.annotations.Nullable;

/**
 * How the replica of a service came to the state that it started to serve with.
 *
 * @param service the service's name
 * @param from the server whose state it took; null if none: it has its checkpoint, or no state
 * @param updates the updates in that state
 */
public record Joined(String service, @Nullable String from, long updates) {}
