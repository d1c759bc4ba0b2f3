package dev.tempest.values.encoding;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.UUID;

/** Large numbers and UUIDs. */
final class Numbers {
  static final List<Encoding<?>> ALL =
      List.of(
          new PlainEncoding<>(
              BigInteger.class, Numbers::mostBytes, Numbers::write, Numbers::readBigInteger),
          new PlainEncoding<>(
              BigDecimal.class, Numbers::mostBytes, Numbers::write, Numbers::readBigDecimal),
          new Identifier());

  private Numbers() {}

  private static long mostBytes(BigInteger value) {
    return 1L + value.bitLength() / Byte.SIZE;
  }

  private static long mostBytes(BigDecimal value) {
    return Encoding.NUMBER_BYTES + mostBytes(value.unscaledValue());
  }

  private static void write(BigInteger value, ByteWriter writer) {
    byte[] twosComplement = value.toByteArray();
    writer.writeRaw(twosComplement, 0, twosComplement.length);
  }

  private static BigInteger readBigInteger(ByteReader reader) {
    byte[] twosComplement = reader.readRaw(reader.remaining()).toArray();
    if (twosComplement.length == 0) {
      throw new MalformedException("a number without bytes");
    }
    return new BigInteger(twosComplement);
  }

  private static void write(BigDecimal value, ByteWriter writer) {
    writer.writeZigzag(value.scale());
    write(value.unscaledValue(), writer);
  }

  private static BigDecimal readBigDecimal(ByteReader reader) {
    int scale = Math.toIntExact(reader.readZigzag());
    return new BigDecimal(readBigInteger(reader), scale);
  }

  private static final class Identifier extends SizedEncoding<UUID> {
    Identifier() {
      super(UUID.class);
    }

    @Override
    long mostBodyBytes(UUID value, int depth) {
      return 2 * Long.BYTES;
    }

    @Override
    void writeBody(UUID value, ByteWriter writer, int depth) {
      writer.writeLong(value.getMostSignificantBits());
      writer.writeLong(value.getLeastSignificantBits());
    }

    @Override
    UUID readBody(ByteReader reader, int depth) {
      return new UUID(reader.readLong(), reader.readLong());
    }

    /** That of the 16 bytes, without writing them. */
    @Override
    int hash(UUID value, int depth) {
      long state = StableHash.append(2 * Long.BYTES, value.getMostSignificantBits());
      return StableHash.finish(StableHash.append(state, value.getLeastSignificantBits()));
    }
  }
}
