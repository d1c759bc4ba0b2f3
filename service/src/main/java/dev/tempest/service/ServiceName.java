package dev.tempest.service;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says under which name a service is hosted and called where nothing else does. Without it that is
 * the simple name of the interface in lower case, with a hyphen before each word: {@code
 * ShoppingCart} is {@code shopping-cart}, {@code HTTPLog} is {@code http-log}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ServiceName {
  /** The name. */
  String value();
}
