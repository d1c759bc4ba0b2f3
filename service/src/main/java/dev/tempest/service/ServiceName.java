package dev.tempest.service;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The default name under which a service is hosted and called. Without this annotation it is the
 * simple name of the interface in lower case, with hyphens between its words: {@code ShoppingCart}
 * becomes {@code shopping-cart}, {@code HTTPLog} becomes {@code http-log}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ServiceName {
  /** The name. */
  String value();
}
