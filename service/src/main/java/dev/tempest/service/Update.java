package dev.tempest.service;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a service interface that changes state: it is executed once, at every replica.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Update {
  /**
   * Whether it commutes with every update of the service, itself included: done before or after the
   * other, the same state comes of it, and the other does and returns the same. An increment of a
   * number that no update reads does; an insertion into a set from which nothing is taken; a
   * maximum. An insertion into a list does not, nor what throws if something lacks.
   *
   * <p>Such an update is applied where it arrives: if it comes late, nothing that was executed runs
   * again because of it. It returns what it found there: replicas may return different results for
   * it, such as a sum so far. If it does not keep the promise, replicas come to different states.
   */
  boolean commutative() default false;
}
