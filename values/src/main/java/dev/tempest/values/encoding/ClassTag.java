package dev.tempest.values.encoding;

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
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What says in bytes of which class a value is: see {@link ValueType#any}.
 *
 * @param name of the class, null where the number alone says it
 */
record ClassTag(int number, @Nullable String name) implements Comparable<ClassTag> {
  static final int NULL = 0;

  /** Tags from here on are followed by the size of what follows. */
  static final int FIRST_SIZED = 16;

  /** Tags from here on are followed by the name of a class, then the size. */
  static final int FIRST_NAMED = 64;

  static final int ENUM = 64;
  static final int RECORD = 65;
  static final int ARRAY = 66;
  static final int FOREIGN = 67;

  /** By tag, from 1. Written: new ones come last, and none of these may be without a size. */
  static final List<Class<?>> SCALARS =
      List.of(
          String.class,
          Integer.class,
          Long.class,
          Boolean.class,
          Double.class,
          Float.class,
          Short.class,
          Byte.class,
          Character.class);

  /** By tag, from {@link #FIRST_SIZED}. Written: new ones come last. */
  static final List<Class<?>> SIZED =
      List.of(
          byte[].class,
          UUID.class,
          BigInteger.class,
          BigDecimal.class,
          Instant.class,
          Duration.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class,
          OffsetDateTime.class,
          ZonedDateTime.class,
          Year.class,
          YearMonth.class,
          MonthDay.class,
          Period.class,
          ZoneId.class,
          Optional.class,
          List.class,
          Set.class,
          Map.class);

  /** The class that {@code number} alone stands for, or null if a name does, or a newer version. */
  static @Nullable Class<?> builtIn(int number) {
    if (number >= FIRST_SIZED) {
      return number - FIRST_SIZED < SIZED.size() ? SIZED.get(number - FIRST_SIZED) : null;
    }
    return number > 0 && number <= SCALARS.size() ? SCALARS.get(number - 1) : null;
  }

  static ClassTag read(ByteReader reader) {
    int number = reader.readByte();
    return new ClassTag(number, number < FIRST_NAMED ? null : reader.readString());
  }

  void write(ByteWriter writer) {
    writer.writeByte(number);
    if (name != null) {
      writer.writeString(name);
    }
  }

  /** The name of the class, for people. */
  String className() {
    if (name != null) {
      return name;
    }
    Class<?> builtIn = builtIn(number);
    return builtIn == null ? "a built-in class of a newer version" : builtIn.getName();
  }

  @Override
  public int compareTo(ClassTag other) {
    if (number != other.number || name == null || other.name == null) {
      return Integer.compare(number, other.number);
    }
    return name.compareTo(other.name);
  }
}
