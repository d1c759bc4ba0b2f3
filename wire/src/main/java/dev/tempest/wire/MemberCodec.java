package dev.tempest.wire;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Message.Heartbeat;
import dev.tempest.wire.Message.Hosting;
import dev.tempest.wire.Message.HostingRequest;
import dev.tempest.wire.Message.MemberMessage;
import dev.tempest.wire.Message.MemberRecord;
import dev.tempest.wire.Message.MemberState;
import dev.tempest.wire.Message.Probe;
import dev.tempest.wire.Message.Roster;
import java.util.List;

/** What the processes of one cluster say about who is there. */
final class MemberCodec {
  /** More records than fit a datagram. */
  static final int RECORDS_MAX = 1_024;

  /** More services than one process hosts. */
  static final int SERVICES_MAX = 1_024;

  private MemberCodec() {}

  static void write(ByteWriter writer, MemberMessage message) {
    switch (message) {
      case Probe probe -> {
        writer.writeByte(MessageType.PROBE);
        writeRecord(writer, probe.prober());
        writer.writeBoolean(probe.announced());
      }
      case Roster roster -> {
        writer.writeByte(MessageType.ROSTER);
        writeRecord(writer, roster.sender());
        Fields.writeShortList(writer, RECORDS_MAX, roster.others(), MemberCodec::writeRecord);
        Fields.writeShortList(
            writer, RECORDS_MAX, roster.heartbeats(), MemberCodec::writeHeartbeat);
      }
      case HostingRequest request -> writer.writeByte(MessageType.HOSTING_REQUEST);
      case Hosting hosting -> {
        writer.writeByte(MessageType.HOSTING);
        writer.writeLong(hosting.member());
        Fields.writeCount(writer, hosting.revision());
        Fields.writeShortList(writer, SERVICES_MAX, hosting.services(), ByteWriter::writeLong);
      }
    }
  }

  static Probe readProbe(ByteReader reader) {
    MemberRecord prober = readRecord(reader);
    return new Probe(prober, reader.readBoolean());
  }

  static Roster readRoster(ByteReader reader) {
    MemberRecord sender = readRecord(reader);
    List<MemberRecord> others = Fields.readShortList(reader, RECORDS_MAX, MemberCodec::readRecord);
    return new Roster(
        sender, others, Fields.readShortList(reader, RECORDS_MAX, MemberCodec::readHeartbeat));
  }

  static Hosting readHosting(ByteReader reader) {
    long member = reader.readLong();
    long revision = Fields.readCount(reader);
    return new Hosting(
        member, revision, Fields.readShortList(reader, SERVICES_MAX, ByteReader::readLong));
  }

  private static void writeRecord(ByteWriter writer, MemberRecord record) {
    writer.writeLong(record.id());
    writer.writeByte(number(record.state()));
    Fields.writeCount(writer, record.heartbeat());
    Fields.writeCount(writer, record.hosting());
    Fields.writeText(writer, record.address());
    Fields.writeText(writer, record.name());
  }

  private static MemberRecord readRecord(ByteReader reader) {
    long id = reader.readLong();
    MemberState state = state(reader.readByte());
    long heartbeat = Fields.readCount(reader);
    long hosting = Fields.readCount(reader);
    String address = Fields.readText(reader);
    return new MemberRecord(id, state, heartbeat, hosting, address, Fields.readText(reader));
  }

  private static void writeHeartbeat(ByteWriter writer, Heartbeat heartbeat) {
    writer.writeLong(heartbeat.id());
    Fields.writeCount(writer, heartbeat.heartbeat());
  }

  private static Heartbeat readHeartbeat(ByteReader reader) {
    long id = reader.readLong();
    return new Heartbeat(id, Fields.readCount(reader));
  }

  private static int number(MemberState state) {
    return switch (state) {
      case PRESENT -> 0;
      case EXPELLED -> 1;
      case LEFT -> 2;
    };
  }

  private static MemberState state(int number) {
    return switch (number) {
      case 0 -> MemberState.PRESENT;
      case 1 -> MemberState.EXPELLED;
      case 2 -> MemberState.LEFT;
      default -> throw new MalformedException("no state of a member has the number " + number);
    };
  }
}
