package dev.tempest.runtime;

import org.jspecify.annotations.Nullable;

/**
 * How the replica of a service came to the state that it started to serve with.
 *
 * @param service the service's name
 * @param own what its process had of it, in words, such as "its checkpoint"; empty if nothing
 * @param from the server of which it took a state, or more than it had; null if none
 * @param updates the updates in that state
 */
public record Joined(String service, String own, @Nullable String from, long updates) {}
