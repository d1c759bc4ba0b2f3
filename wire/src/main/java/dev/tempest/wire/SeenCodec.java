package dev.tempest.wire;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.SeenByTime.OfClient;
import java.util.ArrayList;
import java.util.List;

/**
 * What a client has seen, to bytes and back: the number of the order {@code u8}; of order by
 * consensus a slot {@code varint}; of order by time settled {@code prefix from} -1, stamp {@code
 * i64}, then of each client its id {@code i64} ascending, stamp {@code i64}, and {@code intervals},
 * which are not empty. There is one encoding of each.
 *
 * <p>Stateless and thread-safe.
 */
public final class SeenCodec {
  private static final long NO_EPOCH = -1;

  private SeenCodec() {}

  /**
   * Writes it.
   *
   * @throws IllegalArgumentException if a stamp is negative, clients do not ascend or a client has
   *     no updates or too many intervals
   */
  public static void write(ByteWriter writer, Seen seen) {
    switch (seen) {
      case Seen.Nothing nothing -> writer.writeByte(OrderPartCodec.NONE);
      case SeenByTime byTime -> {
        writer.writeByte(OrderPartCodec.BY_TIME);
        write(writer, byTime);
      }
      case SeenByLog(long slot) -> {
        writer.writeByte(OrderPartCodec.BY_LOG);
        Fields.writeCount(writer, slot);
      }
    }
  }

  private static void write(ByteWriter writer, SeenByTime seen) {
    ReplicaCodec.writePrefix(writer, NO_EPOCH, seen.settled());
    Fields.writeStamp(writer, seen.stamp());
    writer.writeVarint(seen.clients().size());
    for (int i = 0; i < seen.clients().size(); i++) {
      OfClient each = seen.clients().get(i);
      int intervals = each.sequences().intervals();
      if (i > 0 && seen.clients().get(i - 1).client() >= each.client()) {
        throw new IllegalArgumentException("clients do not ascend");
      }
      if (intervals == 0 || intervals > SeenByTime.INTERVALS_MAX) {
        throw new IllegalArgumentException(
            intervals + " intervals of one client: 1 to " + SeenByTime.INTERVALS_MAX + " fit");
      }
      writer.writeLong(each.client());
      Fields.writeStamp(writer, each.stamp());
      Fields.writeIntervals(writer, each.sequences());
    }
  }

  /**
   * Reads what {@link #write} has written.
   *
   * @throws MalformedException if the bytes are anything else
   */
  public static Seen read(ByteReader reader) {
    int order = reader.readByte();
    return switch (order) {
      case OrderPartCodec.NONE -> Seen.NOTHING;
      case OrderPartCodec.BY_TIME -> readByTime(reader);
      case OrderPartCodec.BY_LOG -> new SeenByLog(Fields.readCount(reader));
      default -> throw new MalformedException("no order has the number " + order);
    };
  }

  private static SeenByTime readByTime(ByteReader reader) {
    Prefix settled = ReplicaCodec.readPrefix(reader, NO_EPOCH);
    long stamp = Fields.readStamp(reader);
    int count = reader.readCount(1, SeenByTime.CLIENTS_MAX);
    List<OfClient> clients = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      OfClient each =
          new OfClient(
              reader.readLong(),
              Fields.readStamp(reader),
              Fields.readIntervals(reader, SeenByTime.INTERVALS_MAX));
      if (i > 0 && clients.get(i - 1).client() >= each.client()) {
        throw new MalformedException("clients do not ascend");
      }
      if (each.sequences().isEmpty()) {
        throw new MalformedException("a client without updates");
      }
      clients.add(each);
    }
    return new SeenByTime(settled, stamp, clients);
  }
}
