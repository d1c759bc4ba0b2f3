package dev.tempest.sessions;

import dev.tempest.Node;
import dev.tempest.state.TimedMap;
import java.util.NavigableSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;

/**
 * What sessions are kept in.
 *
 * @param touches when their latest requests were; one that expires goes from here first
 */
record SessionCollections(
    ConcurrentMap<String, UUID> ids,
    ConcurrentMap<UUID, Origin> origins,
    TimedMap<UUID, Long> touches,
    ConcurrentNavigableMap<AttributeKey, byte[]> attributes,
    NavigableSet<IndexKey> indexes) {

  /** Those of sessions of that name. */
  static SessionCollections of(Node node, String name) {
    return new SessionCollections(
        node.map(name, String.class, UUID.class),
        node.map(name + "-origins", UUID.class, Origin.class),
        node.map(name + "-touches", UUID.class, Long.class),
        node.sortedMap(name + "-attributes", AttributeKey.class, byte[].class),
        node.sortedSet(name + "-indexes", IndexKey.class));
  }
}
