package dev.tempest.state.versioned;

/**
 * The hash of one collection.
 *
 * @param collection its kind and name, such as {@code map 'carts'}
 * @param known whether the hash says what it holds; false while values in it wait to be merged,
 *     because the function is not registered here or their class not declared
 * @param hash of the contents, whatever their history; equal contents have equal ones in every JVM
 */
public record CollectionHash(String collection, boolean known, long hash) {}
