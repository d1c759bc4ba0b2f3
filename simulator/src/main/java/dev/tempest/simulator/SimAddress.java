package dev.tempest.simulator;

import dev.tempest.protocol.Address;

/**
 * Where a simulated process is reached; it keeps its address when it restarts.
 *
 * @param node counts the processes of the world: first the replicas, then the front-ends
 */
public record SimAddress(int node) implements Address {}
