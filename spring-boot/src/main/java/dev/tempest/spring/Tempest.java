package dev.tempest.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Injects a collection of the node. The type says which kind it is, and which classes its keys and
 * values have:
 *
 * <pre>{@code
 * Shop(@Tempest("carts") ConcurrentMap<String, Cart> carts) {
 *   this.carts = carts;
 * }
 * }</pre>
 *
 * <p>{@code Map}, {@code ConcurrentMap} and {@code TimedMap} are {@link dev.tempest.Node#map},
 * sorted and navigable ones {@link dev.tempest.Node#sortedMap}, sets and sorted sets likewise,
 * {@code List} is {@link dev.tempest.Node#list}, queues and deques are {@link
 * dev.tempest.Node#deque}; there are {@link dev.tempest.state.Value} and {@link
 * dev.tempest.state.Counter}. A class that also names {@code dev.tempest.Tempest}, which joins a
 * cluster, writes one of the two in full.
 */
@Target({ElementType.FIELD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Tempest {
  /** The name of the collection: 1 to 64 characters of a-z, 0-9 and -. */
  String value();
}
