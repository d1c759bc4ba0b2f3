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
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Random values of every class that {@link #TYPE} knows. */
@SuppressWarnings("ArrayRecordComponent") // Arrays are values: that is what is tested.
final class Samples {
  sealed interface Shape permits Circle, Square {}

  record Circle(double radius) implements Shape {}

  record Square(BigDecimal side, @Nullable Shape within) implements Shape {}

  record Item(
      String name,
      Optional<TimeUnit> unit,
      List<String> tags,
      Set<Long> numbers,
      Map<UUID, List<Line>> lines,
      @Nullable Shape shape,
      @Nullable Instant since) {}

  record Line(int quantity, LocalDate day, ZoneId zone) {}

  record Arrays(
      int[] ints,
      double[] doubles,
      String[] texts,
      Line[] lines,
      boolean[][] flags,
      char[] chars) {}

  record Pair<A, B>(A first, B second) {}

  record Pairs(Pair<String, Pair<Integer, List<TimeUnit>>> pair, List<Pair<Line, Line>> lines) {}

  static final ValueType<Object> TYPE =
      ValueType.any(
          Object.class, Item.class, TimeUnit.class, Arrays.class, Shape.class, Pairs.class);

  private static final List<ZoneId> ZONES =
      List.of(
          ZoneId.of("Europe/Rome"),
          ZoneId.of("UTC"),
          ZoneOffset.ofHours(-3),
          ZoneOffset.UTC,
          ZoneId.of("UTC+01:30"));

  private static final List<Function<Random, Object>> SIMPLE =
      List.of(
          Samples::text,
          Random::nextInt,
          Random::nextLong,
          Random::nextBoolean,
          random -> Double.longBitsToDouble(random.nextLong()),
          random -> Float.intBitsToFloat(random.nextInt()),
          random -> (short) random.nextInt(),
          random -> (byte) random.nextInt(),
          random -> (char) random.nextInt(),
          random -> new UUID(random.nextLong(), random.nextLong()),
          random -> new BigInteger(random.nextInt(100), random),
          Samples::decimal,
          Samples::instant,
          random -> Duration.ofSeconds(random.nextLong(), random.nextInt(1_000_000_000)),
          Samples::day,
          Samples::time,
          random -> LocalDateTime.of(day(random), time(random)),
          random -> OffsetDateTime.of(day(random), time(random), ZoneOffset.ofHours(2)),
          random -> ZonedDateTime.of(day(random), time(random), one(ZONES, random)),
          random -> Year.of(random.nextInt(9999)),
          random -> YearMonth.of(random.nextInt(9999), 1 + random.nextInt(12)),
          random -> MonthDay.of(1 + random.nextInt(12), 1 + random.nextInt(28)),
          random -> Period.of(random.nextInt(), random.nextInt(), random.nextInt()),
          random -> one(ZONES, random),
          random -> one(List.of(TimeUnit.values()), random));

  private Samples() {}

  /** A value that can be a key: without arrays. */
  static Object key(Random random, int depth) {
    if (depth == 0 || random.nextInt(3) > 0) {
      return one(SIMPLE, random).apply(random);
    }
    return switch (random.nextInt(6)) {
      case 0 -> many(random, each -> key(each, depth - 1));
      case 1 -> new HashSet<>(many(random, each -> key(each, depth - 1)));
      case 2 -> map(random, depth - 1);
      case 3 -> Optional.of(key(random, depth - 1));
      case 4 ->
          new Pairs(
              new Pair<>(text(random), new Pair<>(1, List.of(TimeUnit.DAYS))),
              many(random, each -> new Pair<>(line(each), line(each))));
      default -> item(random);
    };
  }

  /** Any value. */
  static Object value(Random random, int depth) {
    return switch (random.nextInt(8)) {
      case 0 -> bytes(random);
      case 1 -> random.ints(random.nextInt(5)).toArray();
      case 2 ->
          new Arrays(
              random.ints(3).toArray(),
              random.doubles(2).toArray(),
              new String[] {text(random)},
              new Line[] {line(random), line(random)},
              new boolean[][] {{true}, {}},
              text(random).toCharArray());
      case 3 -> new Line[] {line(random)};
      case 4 -> many(random, each -> depth == 0 ? bytes(each) : value(each, depth - 1));
      default -> key(random, depth);
    };
  }

  static Item item(Random random) {
    Map<UUID, List<Line>> lines = new HashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      lines.put(new UUID(random.nextLong(), i), many(random, Samples::line));
    }
    return new Item(
        text(random),
        Optional.of(TimeUnit.DAYS).filter(unit -> random.nextBoolean()),
        many(random, Samples::text),
        new HashSet<>(many(random, Random::nextLong)),
        lines,
        random.nextBoolean() ? null : shape(random, 3),
        random.nextBoolean() ? null : instant(random));
  }

  private static Map<Object, Object> map(Random random, int depth) {
    Map<Object, Object> map = new HashMap<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      map.put(key(random, depth), key(random, depth));
    }
    return map;
  }

  private static Shape shape(Random random, int depth) {
    boolean isSquare = depth > 0 && random.nextBoolean();
    return isSquare
        ? new Square(decimal(random), shape(random, depth - 1))
        : new Circle(random.nextDouble());
  }

  static Line line(Random random) {
    return new Line(random.nextInt(), day(random), one(ZONES, random));
  }

  private static String text(Random random) {
    return ByteWriterReaderTest.randomString(random);
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(9)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static BigDecimal decimal(Random random) {
    return BigDecimal.valueOf(random.nextLong(), random.nextInt(40) - 20);
  }

  private static Instant instant(Random random) {
    return Instant.ofEpochSecond(random.nextLong() >> 10, random.nextInt(1_000_000_000));
  }

  private static LocalDate day(Random random) {
    return LocalDate.ofEpochDay(random.nextInt(100_000) - 50_000);
  }

  private static LocalTime time(Random random) {
    return LocalTime.ofNanoOfDay(random.nextLong(86_400_000_000_000L));
  }

  private static <T> List<T> many(Random random, Function<Random, T> one) {
    List<T> many = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      many.add(one.apply(random));
    }
    return many;
  }

  private static <T> T one(List<T> values, Random random) {
    return values.get(random.nextInt(values.size()));
  }
}
