package dev.tempest.wire;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.MalformedException;

/** What only the order of a service reads: which order it is, and what that one says. */
final class OrderPartCodec {
  /** No order; also the first byte of what nobody has seen. */
  static final int NONE = 0;

  /** The order by time. */
  static final int BY_TIME = 1;

  /** The order by consensus. */
  static final int BY_LOG = 2;

  /** The order by consensus, of a replica that has voted. */
  static final int VOTED = 3;

  private OrderPartCodec() {}

  static void write(ByteWriter writer, OrderPart part) {
    switch (part) {
      case OrderPart.None none -> writer.writeByte(NONE);
      case OrderPart.Stamped(long stamp) -> {
        writer.writeByte(BY_TIME);
        Fields.writeStamp(writer, stamp);
      }
      case OrderPart.Logged(long stamp, long slot) -> {
        writer.writeByte(BY_LOG);
        Fields.writeStamp(writer, stamp);
        Fields.writeCount(writer, slot);
      }
      case OrderPart.Voted(long stamp, long slot, long hash, int needed) -> {
        writer.writeByte(VOTED);
        Fields.writeStamp(writer, stamp);
        Fields.writeCount(writer, slot);
        writer.writeLong(hash);
        writer.writeByte(needed);
      }
    }
  }

  static OrderPart read(ByteReader reader) {
    int order = reader.readByte();
    return switch (order) {
      case NONE -> OrderPart.NONE;
      case BY_TIME -> new OrderPart.Stamped(Fields.readStamp(reader));
      case BY_LOG -> new OrderPart.Logged(Fields.readStamp(reader), Fields.readCount(reader));
      case VOTED -> readVoted(reader);
      default -> throw new MalformedException("no order has the number " + order);
    };
  }

  private static OrderPart.Voted readVoted(ByteReader reader) {
    long stamp = Fields.readStamp(reader);
    long slot = Fields.readCount(reader);
    long hash = reader.readLong();
    int needed = reader.readByte();
    if (needed < 1) {
      throw new MalformedException("at least 1 replica votes");
    }
    return new OrderPart.Voted(stamp, slot, hash, needed);
  }
}
