package dev.tempest.values.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.values.TooLargeException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteWriterReaderTest {
  private final ByteWriter writer = new ByteWriter(1_000_000);

  @Test
  void numbersAreBigEndian() {
    writer.writeByte(0x1FE);
    writer.writeInt(0x01020304);
    writer.writeLong(0x05060708090A0B0CL);

    assertThat(writer.toBytes()).hasToString("fe0102030405060708090a0b0c");
    ByteReader reader = writer.toBytes().reader();
    assertThat(reader.readByte()).isEqualTo(0xFE);
    assertThat(reader.readInt()).isEqualTo(0x01020304);
    assertThat(reader.readLong()).isEqualTo(0x05060708090A0B0CL);
    reader.expectEnd();
  }

  @Test
  void varintsAtEverySizeTakeAByteForEverySevenBits() {
    for (int bits = 0; bits <= 64; bits++) {
      long largest = bits == 0 ? 0 : -1L >>> (64 - bits);
      writer.reset();
      writer.writeVarint(largest);

      assertThat(writer.size()).as("%s bits", bits).isEqualTo(Math.max(1, (bits + 6) / 7));
      ByteReader reader = writer.toBytes().reader();
      assertThat(reader.readVarint()).isEqualTo(largest);
      reader.expectEnd();
    }
  }

  @Test
  void zigzagVarintsAreShortNearZeroAndReachBothEnds() {
    assertThat(zigzagSize(0)).isEqualTo(1);
    assertThat(zigzagSize(-64)).isEqualTo(1);
    assertThat(zigzagSize(63)).isEqualTo(1);
    assertThat(zigzagSize(64)).isEqualTo(2);
    assertThat(zigzagSize(Long.MIN_VALUE)).isEqualTo(10);
    assertThat(zigzagSize(Long.MAX_VALUE)).isEqualTo(10);
  }

  @Test
  void aVarintHasOneFormOnly() {
    assertThatThrownBy(() -> reader(0x80, 0x00).readVarint())
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("longer than necessary");
    assertThatThrownBy(
            () -> reader(0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2).readVarint())
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("64 bits");
    assertThatThrownBy(() -> reader(0x80).readVarint()).isInstanceOf(MalformedException.class);
  }

  @Test
  void aLengthBeyondTheBytesIsRefusedBeforeAnythingIsAllocated() {
    writer.writeVarint(Integer.MAX_VALUE);
    Bytes huge = writer.toBytes();

    assertThatThrownBy(() -> huge.reader().readBytes()).isInstanceOf(MalformedException.class);
    assertThatThrownBy(() -> huge.reader().readString()).isInstanceOf(MalformedException.class);
    assertThatThrownBy(() -> huge.reader().readCount(1)).isInstanceOf(MalformedException.class);
    assertThatThrownBy(() -> huge.reader().readRaw(6)).isInstanceOf(MalformedException.class);
    assertThatThrownBy(() -> huge.reader().readRaw(-1)).isInstanceOf(MalformedException.class);
    assertThatThrownBy(() -> huge.reader().slice(6)).isInstanceOf(MalformedException.class);
  }

  @Test
  void aCountIsLimitedByTheSizeOfItsElements() {
    assertThat(reader(2, 0, 0, 0, 0, 0, 0).readCount(3)).isEqualTo(2);
    assertThatThrownBy(() -> reader(2, 0, 0, 0).readCount(3))
        .isInstanceOf(MalformedException.class);
  }

  @Test
  void aBooleanIsZeroOrOne() {
    assertThat(reader(0).readBoolean()).isFalse();
    assertThat(reader(1).readBoolean()).isTrue();
    assertThatThrownBy(() -> reader(2).readBoolean()).isInstanceOf(MalformedException.class);
  }

  @Test
  void bytesLeftOverAreRefused() {
    assertThatThrownBy(() -> reader(1).expectEnd())
        .isInstanceOf(MalformedException.class)
        .hasMessage("1 bytes left over");
  }

  @Test
  void aSliceEndsWhereItShouldAndIsSkipped() {
    ByteReader reader = reader(1, 2, 3);
    ByteReader slice = reader.slice(2);

    assertThat(slice.readByte()).isEqualTo(1);
    assertThat(slice.remaining()).isEqualTo(1);
    assertThat(slice.readByte()).isEqualTo(2);
    assertThatThrownBy(slice::readByte).isInstanceOf(MalformedException.class);
    assertThat(reader.readByte()).isEqualTo(3);
  }

  @Test
  void aWriterGrowsToItsLimitAndNotBeyond() {
    ByteWriter small = new ByteWriter(1_000);
    small.writeRaw(new byte[997], 0, 997);

    assertThatThrownBy(() -> small.writeInt(1)).isInstanceOf(TooLargeException.class);
    assertThatThrownBy(() -> small.writeString("äöü"))
        .isInstanceOf(TooLargeException.class)
        .hasMessageContaining("1000 bytes");
    small.truncate(997);
    small.writeString("ä");
    assertThat(small.size()).isEqualTo(1_000);
    assertThatThrownBy(() -> small.writeByte(1)).isInstanceOf(TooLargeException.class);
    assertThatThrownBy(() -> new ByteWriter(0).writeByte(1)).isInstanceOf(TooLargeException.class);
  }

  @Test
  void truncateAndOverwriteReachOnlyWhatWasWritten() {
    writer.writeInt(1);
    writer.writeByte(2);
    writer.overwriteInt(0, 7);
    writer.truncate(4);

    assertThat(writer.toBytes()).isEqualTo(Bytes.of((byte) 0, (byte) 0, (byte) 0, (byte) 7));
    assertThatThrownBy(() -> writer.overwriteInt(1, 7))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> writer.truncate(5)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "carts",
        "\0",
        "\u007F\u0080",
        "\u07FF\u0800",
        "Gr\u00FC\u00DFe",
        "\uFFFF",
        "\uD83D\uDED2",
        "a\uD83D\uDED2z",
        "\uDBFF\uDFFF",
        "\uD800",
        "\uDC00",
        "\uDC00\uD800",
        "x\uD83Dy",
        "\uD83D\uD83D\uDED2"
      })
  void everyStringComesBackAsItWas(String value) {
    assertThat(throughBytes(value)).isEqualTo(value);
  }

  @Test
  void randomStringsComeBackAsTheyWere() {
    Seeds.check(
        1_000,
        random -> {
          String value = randomString(random);
          assertThat(throughBytes(value)).isEqualTo(value);
        });
  }

  @Test
  void stringsAreUtf8AsEverybodyElseWritesIt() {
    writer.writeString("a\u00FC\u20AC\uD83D\uDED2");

    assertThat(writer.toBytes()).hasToString("0a61c3bce282acf09f9b92");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "80",
        "C3",
        "C328",
        "C0AF",
        "C1BF",
        "E0809F",
        "E28228",
        "E282",
        "F08282AC",
        "F4908080",
        "F8888080",
        "FF",
        "EDA0BDEDBB92"
      })
  void illFormedUtf8IsRefused(String hex) {
    byte[] utf8 = java.util.HexFormat.of().parseHex(hex);
    writer.writeVarint(utf8.length);
    writer.writeRaw(utf8, 0, utf8.length);

    assertThatThrownBy(() -> writer.toBytes().reader().readString())
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("UTF-8");
  }

  @Test
  void whatDecodesEncodesToTheSameBytes() {
    Seeds.check(
        5_000,
        random -> {
          byte[] utf8 = new byte[random.nextInt(8)];
          for (int i = 0; i < utf8.length; i++) {
            // Leading and continuation bytes more often than chance has them.
            utf8[i] = (byte) (random.nextBoolean() ? 0x80 | random.nextInt(64) : random.nextInt());
          }
          writer.reset();
          writer.writeBytes(Bytes.of(utf8));
          Bytes encoded = writer.toBytes();
          try {
            String value = encoded.reader().readString();
            writer.reset();
            writer.writeString(value);
            assertThat(writer.toBytes()).isEqualTo(encoded);
          } catch (MalformedException refused) {
            assertThat(refused).hasMessageContaining("UTF-8");
          }
        });
  }

  static String randomString(Random random) {
    char[] units = new char[random.nextInt(12)];
    int widest = 1 << (1 + random.nextInt(16));
    for (int i = 0; i < units.length; i++) {
      units[i] =
          (char) (random.nextInt(4) == 0 ? 0xD800 + random.nextInt(0x800) : random.nextInt(widest));
    }
    return new String(units);
  }

  private int zigzagSize(long value) {
    writer.reset();
    writer.writeZigzag(value);
    assertThat(writer.toBytes().reader().readZigzag()).isEqualTo(value);
    return writer.size();
  }

  private String throughBytes(String value) {
    writer.reset();
    writer.writeString(value);
    ByteReader reader = writer.toBytes().reader();
    String read = reader.readString();
    reader.expectEnd();
    return read;
  }

  private static ByteReader reader(int... bytes) {
    byte[] array = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      array[i] = (byte) bytes[i];
    }
    return new ByteReader(array, 0, array.length);
  }
}
