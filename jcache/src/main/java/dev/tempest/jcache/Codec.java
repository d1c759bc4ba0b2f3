package dev.tempest.jcache;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * How the keys and values of a cache are stored: those of immutable classes that Tempest has built
 * in, and of the enums and records for which the cache is configured, as they are; all others by
 * Java's serialization. Thread-safe.
 */
final class Codec {
  private static final Set<Class<?>> BUILT_IN =
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
          UUID.class,
          Instant.class,
          Duration.class,
          Period.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class,
          OffsetDateTime.class,
          ZonedDateTime.class,
          Year.class,
          YearMonth.class,
          MonthDay.class);

  private final Set<Class<?>> plain = new HashSet<>(BUILT_IN);
  private final ClassLoader loader;

  /**
   * Of a cache.
   *
   * @param declared enums and records that Tempest stores as they are
   * @param loader finds the classes of all others
   */
  Codec(Set<Class<?>> declared, ClassLoader loader) {
    plain.addAll(declared);
    this.loader = loader;
  }

  Object storedKey(Object key) {
    return isPlain(key)
        ? key
        : new SerializedKey(Base64.getEncoder().encodeToString(JavaSerialization.write(key)));
  }

  Object storedValue(Object value) {
    return isPlain(value) ? value : new SerializedValue(JavaSerialization.write(value));
  }

  Object key(Object stored) {
    return stored instanceof SerializedKey(String base64)
        ? JavaSerialization.read(Base64.getDecoder().decode(base64), loader)
        : stored;
  }

  Object value(Object stored) {
    return stored instanceof SerializedValue(byte[] bytes)
        ? JavaSerialization.read(bytes, loader)
        : stored;
  }

  private boolean isPlain(Object object) {
    return plain.contains(
        object instanceof Enum<?> it ? it.getDeclaringClass() : object.getClass());
  }
}
