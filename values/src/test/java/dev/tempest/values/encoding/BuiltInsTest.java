package dev.tempest.values.encoding;

import static dev.tempest.values.encoding.AnyTypeTest.bytes;
import static dev.tempest.values.encoding.AnyTypeTest.readAny;
import static dev.tempest.values.encoding.AnyTypeTest.readOpaque;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The classes of the JDK that need no declaration. */
class BuiltInsTest {
  private static final ValueType<Object> ANY = ValueType.any(Object.class);
  private static final LocalDate DAY = LocalDate.of(2026, 11, 21);
  private static final LocalTime TIME = LocalTime.of(12, 30, 0, 5);

  static List<Arguments> pinned() {
    return List.of(
        Arguments.of(new byte[] {1, 2}, "10020102"),
        Arguments.of(new UUID(1, 2), "111000000000000000010000000000000002"),
        Arguments.of(BigInteger.valueOf(-129), "1202ff7f"),
        Arguments.of(new BigDecimal("1.50"), "1303040096"),
        Arguments.of(Instant.ofEpochSecond(-1, 300), "140301ac02"),
        Arguments.of(Duration.ofMillis(-1), "1506" + "01" + "c08faedc03"),
        Arguments.of(DAY, "1603d4c402"),
        Arguments.of(TIME, "1707" + "85a08f88d69d0a"),
        Arguments.of(LocalDateTime.of(DAY, TIME), "180a" + "d4c402" + "85a08f88d69d0a"),
        Arguments.of(
            OffsetDateTime.of(DAY, TIME, ZoneOffset.ofHours(1)),
            "190c" + "d4c402" + "85a08f88d69d0a" + "a038"),
        Arguments.of(
            ZonedDateTime.of(DAY, TIME, ZoneId.of("Europe/Rome")),
            "1a18" + "d4c402" + "85a08f88d69d0a" + "a038" + "0b4575726f70652f526f6d65"),
        Arguments.of(Year.of(2026), "1b02d41f"),
        Arguments.of(YearMonth.of(2026, 11), "1c03d41f0b"),
        Arguments.of(MonthDay.of(11, 21), "1d020b15"),
        Arguments.of(Period.of(1, -2, 3), "1e03020306"),
        Arguments.of(ZoneOffset.ofHours(1), "1f07" + "062b30313a3030"),
        Arguments.of(Optional.empty(), "2000"),
        Arguments.of(Optional.of("a"), "2003010161"),
        Arguments.of(List.of("b", 1), "210602" + "010162" + "0202"),
        Arguments.of(Set.of("b", "a", 7), "220903" + "010161" + "010162" + "020e"),
        Arguments.of(Map.of("b", 1, "a", 2), "230b02" + "010161" + "0204" + "010162" + "0202"),
        Arguments.of(new int[] {1, -1}, "42025b49" + "0800000001ffffffff"),
        Arguments.of(new boolean[] {true}, "42025b5a" + "0101"),
        Arguments.of(new char[] {'a'}, "42025b43" + "020061"),
        Arguments.of(new short[] {-2}, "42025b53" + "02fffe"),
        Arguments.of(new long[] {1}, "42025b4a" + "080000000000000001"),
        Arguments.of(new float[] {1.5f}, "42025b46" + "043fc00000"),
        Arguments.of(new double[] {1.5}, "42025b44" + "083ff8000000000000"),
        Arguments.of(
            new String[] {"a"}, "42135b4c6a6176612e6c616e672e537472696e673b" + "03010161"));
  }

  /** Pinned: all nodes of a cluster, of whatever version, agree on these. */
  @ParameterizedTest
  @MethodSource("pinned")
  void layoutNeverChanges(Object value, String hex) {
    assertThat(HexFormat.of().formatHex(bytes(ANY, value).toArray())).isEqualTo(hex);
    assertThat(readAny(ANY, bytes(ANY, value))).isEqualTo(value);
    assertThat(ANY.copy(value)).isEqualTo(value);
  }

  @Test
  void declaredAloneTheyHaveTheSameContents() {
    assertThat(ValueTypeTest.bytes(ValueType.of(Year.class), Year.of(2026)))
        .hasToString("0102d41f");
    assertThat(ValueTypeTest.bytes(ValueType.of(int[].class), new int[] {1}))
        .hasToString("010400000001");
    assertThat(ValueTypeTest.bytes(ValueType.of(String[].class), new String[] {"a"}))
        .hasToString("0103010161");
    assertThat(ValueTypeTest.bytes(ValueType.of(ZoneOffset.class), ZoneOffset.UTC))
        .hasToString("0102015a");
  }

  @Test
  void decimalsOfOtherScaleAreOthers() {
    BigDecimal one = new BigDecimal("1.0");
    BigDecimal sameAmount = new BigDecimal("1.00");

    assertThat(ANY.hash(one)).isNotEqualTo(ANY.hash(sameAmount));
    assertThat(ANY.compare(one, sameAmount)).isNotZero();
    assertThat(ANY.compare(one, sameAmount)).isEqualTo(-ANY.compare(sameAmount, one));
    assertThat(ANY.compare(new BigDecimal("0.9"), sameAmount)).isNegative();
  }

  @Test
  void aZoneThatThisJvmDoesNotKnowIsOpaque() {
    ByteWriter writer = new ByteWriter(100);
    writer.writeByte(0x1f);
    writer.writeByte(10);
    writer.writeString("Moon/Base");

    assertThat(readOpaque(ANY, writer.toBytes()).reason()).contains("no ZoneId", "Moon/Base");
  }

  @Test
  void outOfRangeIsMalformed() {
    refuses(LocalTime.class, "0107ffffffffffffff7f");
    refuses(Instant.class, "010b" + "ffffffffffffffffff01" + "00");
    refuses(Instant.class, "0106" + "00" + "8094ebdc03");
    refuses(MonthDay.class, "01020d01");
    refuses(Year.class, "0106" + "feffffffff3f");
    refuses(ZoneOffset.class, "0102" + "0178");
    refuses(BigInteger.class, "0100");
    refuses(UUID.class, "010100");
    refuses(int[].class, "0105" + "0000000100");
    refuses(boolean[].class, "010102");
    refuses(String[].class, "0105" + "ffffffff0f");
  }

  private static void refuses(Class<?> declared, String hex) {
    Bytes bytes = Bytes.of(HexFormat.of().parseHex(hex));
    assertThatThrownBy(() -> ValueTypeTest.read(ValueType.of(declared), bytes))
        .isInstanceOf(MalformedException.class);
  }
}
