package dev.tempest.values.encoding;

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
import java.util.List;

/** The values of java.time. Numbers are varints, zigzag where they may be negative. */
final class Times {
  /** Three numbers are the most that any of them takes, apart from the id of a zone. */
  private static final long MOST_BYTES = 3 * Encoding.NUMBER_BYTES;

  static final List<Encoding<?>> ALL =
      List.of(
          new PlainEncoding<>(
              Instant.class,
              time -> MOST_BYTES,
              (value, writer) -> write(value.getEpochSecond(), value.getNano(), writer),
              reader -> Instant.ofEpochSecond(reader.readZigzag(), nanos(reader))),
          new PlainEncoding<>(
              Duration.class,
              time -> MOST_BYTES,
              (value, writer) -> write(value.getSeconds(), value.getNano(), writer),
              reader -> Duration.ofSeconds(reader.readZigzag(), nanos(reader))),
          new PlainEncoding<>(
              LocalDate.class,
              time -> MOST_BYTES,
              (value, writer) -> writer.writeZigzag(value.toEpochDay()),
              reader -> LocalDate.ofEpochDay(reader.readZigzag())),
          new PlainEncoding<>(
              LocalTime.class,
              time -> MOST_BYTES,
              (value, writer) -> writer.writeVarint(value.toNanoOfDay()),
              reader -> LocalTime.ofNanoOfDay(reader.readVarint())),
          new PlainEncoding<>(
              LocalDateTime.class, time -> MOST_BYTES, Times::write, Times::readLocal),
          new PlainEncoding<>(
              OffsetDateTime.class,
              time -> MOST_BYTES,
              (value, writer) -> {
                write(value.toLocalDateTime(), writer);
                writer.writeZigzag(value.getOffset().getTotalSeconds());
              },
              reader -> OffsetDateTime.of(readLocal(reader), readOffset(reader))),
          new PlainEncoding<>(
              ZonedDateTime.class,
              zoned -> MOST_BYTES + Encoding.mostTextBytes(zoned.getZone().getId()),
              Times::write,
              Times::readZoned),
          new PlainEncoding<>(
              Year.class,
              time -> MOST_BYTES,
              (value, writer) -> writer.writeZigzag(value.getValue()),
              reader -> Year.of(readInt(reader))),
          new PlainEncoding<>(
              YearMonth.class,
              time -> MOST_BYTES,
              (value, writer) -> {
                writer.writeZigzag(value.getYear());
                writer.writeByte(value.getMonthValue());
              },
              reader -> YearMonth.of(readInt(reader), reader.readByte())),
          new PlainEncoding<>(
              MonthDay.class,
              time -> MOST_BYTES,
              (value, writer) -> {
                writer.writeByte(value.getMonthValue());
                writer.writeByte(value.getDayOfMonth());
              },
              reader -> MonthDay.of(reader.readByte(), reader.readByte())),
          new PlainEncoding<>(
              Period.class,
              time -> MOST_BYTES,
              (value, writer) -> {
                writer.writeZigzag(value.getYears());
                writer.writeZigzag(value.getMonths());
                writer.writeZigzag(value.getDays());
              },
              reader -> Period.of(readInt(reader), readInt(reader), readInt(reader))),
          new PlainEncoding<>(
              ZoneId.class,
              zone -> Encoding.mostTextBytes(zone.getId()),
              (value, writer) -> writer.writeString(value.getId()),
              reader -> ZoneId.of(reader.readString())),
          new PlainEncoding<>(
              ZoneOffset.class,
              zone -> Encoding.mostTextBytes(zone.getId()),
              (value, writer) -> writer.writeString(value.getId()),
              reader -> ZoneOffset.of(reader.readString())));

  private Times() {}

  private static void write(long seconds, int nanos, ByteWriter writer) {
    writer.writeZigzag(seconds);
    writer.writeVarint(nanos);
  }

  private static int nanos(ByteReader reader) {
    return reader.readVarint(999_999_999);
  }

  private static void write(LocalDateTime value, ByteWriter writer) {
    writer.writeZigzag(value.toLocalDate().toEpochDay());
    writer.writeVarint(value.toLocalTime().toNanoOfDay());
  }

  private static LocalDateTime readLocal(ByteReader reader) {
    LocalDate date = LocalDate.ofEpochDay(reader.readZigzag());
    return LocalDateTime.of(date, LocalTime.ofNanoOfDay(reader.readVarint()));
  }

  private static void write(ZonedDateTime value, ByteWriter writer) {
    write(value.toLocalDateTime(), writer);
    writer.writeZigzag(value.getOffset().getTotalSeconds());
    writer.writeString(value.getZone().getId());
  }

  /** The same instant, even where this JVM knows other rules of the zone than the writer did. */
  private static ZonedDateTime readZoned(ByteReader reader) {
    LocalDateTime local = readLocal(reader);
    ZoneOffset offset = readOffset(reader);
    return ZonedDateTime.ofInstant(local, offset, ZoneId.of(reader.readString()));
  }

  private static ZoneOffset readOffset(ByteReader reader) {
    return ZoneOffset.ofTotalSeconds(readInt(reader));
  }

  private static int readInt(ByteReader reader) {
    return Math.toIntExact(reader.readZigzag());
  }
}
