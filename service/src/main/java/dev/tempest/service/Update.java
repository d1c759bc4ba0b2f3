package dev.tempest.service;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a service interface that changes state: it is executed once, at every replica.
 *
 * <p>What it returns, or throws, is provisional: it was true at the replica that answered, at that
 * moment. For about two seconds, and after a partition for longer, an update with an earlier time
 * may still be inserted before it. It is executed again then, may decide otherwise, and its caller
 * is not told, however many acks he waited for. See docs/reference/outcomes.md.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Update {
  /**
   * Whether it commutes with every update of the service, itself included: both orders lead to the
   * same state, and the other update does and returns the same. Examples are an increment of a
   * number that no update reads, an insertion into a set from which nothing is removed, and a
   * maximum. An insertion into a list does not commute, nor does an update that throws if something
   * is missing.
   *
   * <p>Such an update is applied when it arrives: if it is late, nothing that was executed runs
   * again. Its result reflects that moment, so replicas may return different results, such as a sum
   * so far. If the update does not commute after all, replicas reach different states.
   */
  boolean commutative() default false;
}
