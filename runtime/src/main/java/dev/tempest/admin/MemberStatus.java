package dev.tempest.admin;

/**
 * A member of the cluster as another one sees it.
 *
 * @param address where it is reached
 * @param name its display name; empty if it has none
 * @param silent whether nothing was heard of it for a while
 */
public record MemberStatus(String address, String name, boolean silent) {}
