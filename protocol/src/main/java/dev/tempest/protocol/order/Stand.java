package dev.tempest.protocol.order;

import dev.tempest.state.versioned.Version;

/**
 * What the next action of this process is executed on.
 *
 * @param version with all that this process wrote, whether it has come to count yet or not
 * @param base what others wrote in the slots of the log below is in it
 * @param run changes when something that this process wrote does not come to count: whatever was
 *     executed after it has to be executed again
 */
public record Stand(Version version, long base, long run) {}
