package dev.tempest.spring.autoconfigure;

import dev.tempest.Node;
import dev.tempest.state.Counter;
import dev.tempest.state.TimedMap;
import dev.tempest.state.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentNavigableMap;
import org.springframework.core.ResolvableType;

/**
 * Which collection an injection point wants.
 *
 * @param parts the classes of keys and values, or elements
 * @param furtherParts the classes of which those consist in turn
 */
record CollectionType(Class<?> kind, List<Class<?>> parts, List<Class<?>> furtherParts) {
  static CollectionType of(ResolvableType type) {
    List<Class<?>> parts = new ArrayList<>();
    List<Class<?>> within = new ArrayList<>();
    for (ResolvableType part : type.getGenerics()) {
      parts.add(classOf(part, type));
      addWithin(part, type, within);
    }
    return new CollectionType(type.toClass(), parts, within);
  }

  private static void addWithin(ResolvableType part, ResolvableType whole, List<Class<?>> within) {
    for (ResolvableType each : part.getGenerics()) {
      within.add(classOf(each, whole));
      addWithin(each, whole, within);
    }
  }

  private static Class<?> classOf(ResolvableType part, ResolvableType whole) {
    Class<?> found = part.resolve();
    if (found == null) {
      throw new IllegalArgumentException(
          "%s does not say the classes of its keys and values: write them, as in Map<String, Cart>"
              .formatted(whole));
    }
    return found;
  }

  /** The most general kind of the node that can be injected there. */
  Object declare(Node node, String name) {
    Class<?>[] within = furtherParts.toArray(Class<?>[]::new);
    if (kind.isAssignableFrom(Counter.class)) {
      return node.counter(name);
    }
    if (kind.isAssignableFrom(Value.class)) {
      return node.value(name, part(0), within);
    }
    if (kind.isAssignableFrom(TimedMap.class)) {
      return node.map(name, part(0), part(1), within);
    }
    if (kind.isAssignableFrom(ConcurrentNavigableMap.class)) {
      return node.sortedMap(name, part(0), part(1), within);
    }
    if (kind.isAssignableFrom(Set.class)) {
      return node.set(name, part(0), within);
    }
    if (kind.isAssignableFrom(NavigableSet.class)) {
      return node.sortedSet(name, part(0), within);
    }
    if (kind.isAssignableFrom(List.class)) {
      return node.list(name, part(0), within);
    }
    if (kind.isAssignableFrom(BlockingDeque.class)) {
      return node.deque(name, part(0), within);
    }
    throw new IllegalArgumentException(
        "the collection %s cannot be a %s: use a Map, ConcurrentMap, NavigableMap, Set, NavigableSet,"
                .formatted(name, kind.getName())
            + " List, BlockingDeque, Value or Counter");
  }

  private Class<Object> part(int index) {
    if (index >= parts.size()) {
      throw new IllegalArgumentException(
          "%s does not say the classes of what it holds: write them, as in Map<String, Cart>"
              .formatted(kind.getName()));
    }
    @SuppressWarnings("unchecked") // The injection point has the type.
    Class<Object> part = (Class<Object>) parts.get(index);
    return part;
  }
}
