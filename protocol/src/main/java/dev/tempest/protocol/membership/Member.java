package dev.tempest.protocol.membership;

import dev.tempest.protocol.Address;

/**
 * One process of the cluster.
 *
 * @param id 64 random bits of its incarnation
 * @param address where it is reached
 * @param addressText the same as the member itself writes it
 * @param name for people; may be empty
 */
public record Member(long id, Address address, String addressText, String name) {}
