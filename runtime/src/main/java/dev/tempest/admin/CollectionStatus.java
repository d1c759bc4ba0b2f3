package dev.tempest.admin;

import java.util.OptionalLong;

/**
 * One collection of a service, or of an embedded node.
 *
 * @param service to which it belongs; those of a node belong to one of the name "collections"
 * @param collection its kind and name, such as {@code map 'carts'}
 * @param entries how many it has; 1 for a counter that is not 0
 * @param sizeBytes what the entries take when encoded, estimated from 64 of them; in memory they
 *     take more. Empty if single entries are too large to be measured in passing
 */
public record CollectionStatus(
    String service, String collection, long entries, OptionalLong sizeBytes) {}
