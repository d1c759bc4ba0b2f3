package dev.tempest.wire;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.Message.Beacon;
import dev.tempest.wire.Message.BeaconAnswer;
import dev.tempest.wire.Message.Read;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.Message.RequestMessage;
import dev.tempest.wire.Message.SeenRead;
import dev.tempest.wire.Message.SeenReply;
import dev.tempest.wire.Message.Update;

/**
 * What front-ends and replicas say to each other, on the path of every request: reading allocates
 * the message and nothing else.
 */
final class RequestCodec {
  /** Far more than any deadline leaves room for; keeps sums with it small. */
  static final int ATTEMPT_MAX = 1_000_000;

  /** Far more than there are replicas. */
  static final int ACKS_MAX = 1_000;

  /** More requests than wait anywhere. */
  static final int LOAD_MAX = 1_000_000;

  private RequestCodec() {}

  static void write(ByteWriter writer, RequestMessage message) {
    switch (message) {
      case Update update -> writeUpdate(writer, update);
      case Read read -> {
        writer.writeByte(MessageType.READ);
        writeRead(writer, read);
      }
      case SeenRead(Read read, Seen seen) -> {
        writer.writeByte(MessageType.SEEN_READ);
        writeRead(writer, read);
        SeenCodec.write(writer, seen);
      }
      case Reply reply -> {
        writer.writeByte(MessageType.REPLY);
        writeReply(writer, reply);
      }
      case SeenReply(Reply reply, Seen seen) -> {
        writer.writeByte(MessageType.SEEN_REPLY);
        writeReply(writer, reply);
        SeenCodec.write(writer, seen);
      }
      case Beacon beacon -> writeBeacon(writer, beacon);
      case BeaconAnswer answer -> writeBeaconAnswer(writer, answer);
    }
  }

  private static void writeUpdate(ByteWriter writer, Update update) {
    writer.writeByte(MessageType.UPDATE);
    writer.writeLong(update.service());
    Fields.writeSmall(writer, update.attempt(), 0, ATTEMPT_MAX);
    Fields.writeSmall(writer, update.acks(), 1, ACKS_MAX);
    Fields.writeCount(writer, update.answeredBelow());
    Fields.writeId(writer, update.id());
    OrderPartCodec.write(writer, update.part());
    Fields.writeCall(writer, update.call());
  }

  static Update readUpdate(ByteReader reader) {
    long service = reader.readLong();
    int attempt = Fields.readSmall(reader, 0, ATTEMPT_MAX);
    int acks = Fields.readSmall(reader, 1, ACKS_MAX);
    long answeredBelow = Fields.readCount(reader);
    RequestId id = Fields.readId(reader);
    OrderPart part = OrderPartCodec.read(reader);
    Call call = Fields.readCall(reader);
    return new Update(service, id, part, call, attempt, acks, answeredBelow);
  }

  private static void writeRead(ByteWriter writer, Read read) {
    writer.writeLong(read.service());
    Fields.writeId(writer, read.id());
    Fields.writeCall(writer, read.call());
  }

  static Read readRead(ByteReader reader) {
    long service = reader.readLong();
    RequestId id = Fields.readId(reader);
    return new Read(service, id, Fields.readCall(reader));
  }

  private static void writeReply(ByteWriter writer, Reply reply) {
    writer.writeLong(reply.service());
    Fields.writeId(writer, reply.id());
    writer.writeBoolean(reply.update());
    writer.writeLong(reply.replica());
    OrderPartCodec.write(writer, reply.part());
    Fields.writeSmall(writer, reply.load(), 0, LOAD_MAX);
    AnswerCodec.write(writer, reply.answer());
  }

  static Reply readReply(ByteReader reader) {
    long service = reader.readLong();
    RequestId id = Fields.readId(reader);
    boolean update = reader.readBoolean();
    long replica = reader.readLong();
    OrderPart part = OrderPartCodec.read(reader);
    int load = Fields.readSmall(reader, 0, LOAD_MAX);
    return new Reply(service, id, update, replica, part, load, AnswerCodec.read(reader));
  }

  static SeenRead readSeenRead(ByteReader reader) {
    Read read = readRead(reader);
    return new SeenRead(read, SeenCodec.read(reader));
  }

  static SeenReply readSeenReply(ByteReader reader) {
    Reply reply = readReply(reader);
    return new SeenReply(reply, SeenCodec.read(reader));
  }

  private static void writeBeacon(ByteWriter writer, Beacon beacon) {
    writer.writeByte(MessageType.BEACON);
    writer.writeLong(beacon.service());
    Fields.writeId(writer, beacon.id());
  }

  static Beacon readBeacon(ByteReader reader) {
    long service = reader.readLong();
    return new Beacon(service, Fields.readId(reader));
  }

  private static void writeBeaconAnswer(ByteWriter writer, BeaconAnswer answer) {
    writer.writeByte(MessageType.BEACON_ANSWER);
    writer.writeLong(answer.service());
    Fields.writeId(writer, answer.id());
    writer.writeLong(answer.replica());
    Fields.writeSmall(writer, answer.load(), 0, LOAD_MAX);
    Fields.writeCount(writer, answer.upMillis());
  }

  static BeaconAnswer readBeaconAnswer(ByteReader reader) {
    long service = reader.readLong();
    RequestId id = Fields.readId(reader);
    long replica = reader.readLong();
    int load = Fields.readSmall(reader, 0, LOAD_MAX);
    return new BeaconAnswer(service, id, replica, load, Fields.readCount(reader));
  }
}
