package dev.tempest.sessions;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.Set;
import java.util.UUID;

/** Values that nobody changes in place. */
final class Immutables {
  private static final Set<Class<?>> CLASSES =
      Set.of(
          String.class,
          Boolean.class,
          Character.class,
          Byte.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          BigInteger.class,
          BigDecimal.class,
          UUID.class);

  private Immutables() {}

  static boolean isOne(Object value) {
    return CLASSES.contains(value.getClass()) || value instanceof Enum<?> || isTime(value);
  }

  /** Only the JDK's own: others' may be mutable. */
  private static boolean isTime(Object value) {
    return (value instanceof TemporalAccessor || value instanceof TemporalAmount)
        && value.getClass().getName().startsWith("java.time.");
  }
}
