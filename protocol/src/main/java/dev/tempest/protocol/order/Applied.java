package dev.tempest.protocol.order;

import dev.tempest.state.versioned.Version;

/**
 * What an order has executed: the state, and of whom it has had what executed for it. One immutable
 * value: whoever executes ahead of agreement and is wrong goes back by dropping it.
 *
 * @param version the state
 * @param clients whose updates are in it, and what they were answered
 */
public record Applied(Version version, ClientTable clients) {}
