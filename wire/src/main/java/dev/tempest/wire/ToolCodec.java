package dev.tempest.wire;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Message.CollectionStatus;
import dev.tempest.wire.Message.Contents;
import dev.tempest.wire.Message.ContentsRequest;
import dev.tempest.wire.Message.DescribeRequest;
import dev.tempest.wire.Message.Description;
import dev.tempest.wire.Message.Dropped;
import dev.tempest.wire.Message.MemberStatus;
import dev.tempest.wire.Message.MethodDescription;
import dev.tempest.wire.Message.Part;
import dev.tempest.wire.Message.ServiceStatus;
import dev.tempest.wire.Message.Status;
import dev.tempest.wire.Message.StatusRequest;
import dev.tempest.wire.Message.ToolMessage;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** What tools and servers say to each other. */
final class ToolCodec {
  /** More services than one server hosts. */
  static final int SERVICES_MAX = 1_024;

  /** More methods than a service has. */
  static final int METHODS_MAX = 1_024;

  /** As many parameters as a method may have. */
  static final int PARAMETERS_MAX = 255;

  /** The most of a list that a status tells a part of. */
  static final int PART_MAX = 1_024;

  /** More kinds of drops than there are. */
  static final int DROPPED_MAX = 64;

  private ToolCodec() {}

  static void write(ByteWriter writer, ToolMessage message) {
    switch (message) {
      case StatusRequest request -> {
        writer.writeByte(MessageType.STATUS_REQUEST);
        writer.writeLong(request.token());
      }
      case Status status -> writeStatus(writer, status);
      case DescribeRequest request -> {
        writer.writeByte(MessageType.DESCRIBE_REQUEST);
        writer.writeLong(request.token());
        Fields.writeText(writer, request.service());
      }
      case Description description -> writeDescription(writer, description);
      case ContentsRequest request -> {
        writer.writeByte(MessageType.CONTENTS_REQUEST);
        writer.writeLong(request.token());
        Fields.writeText(writer, request.service());
        writer.writeLong(request.reading());
        writer.writeBytes(request.wish());
      }
      case Contents contents -> {
        writer.writeByte(MessageType.CONTENTS);
        writer.writeLong(contents.token());
        Fields.writeCount(writer, contents.executed());
        Fields.writeCount(writer, contents.unsettled());
        writer.writeBytes(contents.piece());
        Fields.writeText(writer, contents.reason());
      }
    }
  }

  static StatusRequest readStatusRequest(ByteReader reader) {
    return new StatusRequest(reader.readLong());
  }

  static DescribeRequest readDescribeRequest(ByteReader reader) {
    long token = reader.readLong();
    return new DescribeRequest(token, Fields.readText(reader));
  }

  static ContentsRequest readContentsRequest(ByteReader reader) {
    long token = reader.readLong();
    String service = Fields.readText(reader);
    long reading = reader.readLong();
    return new ContentsRequest(token, service, reading, reader.readBytes());
  }

  static Contents readContents(ByteReader reader) {
    long token = reader.readLong();
    long executed = Fields.readCount(reader);
    long unsettled = Fields.readCount(reader);
    Bytes piece = reader.readBytes();
    return new Contents(token, executed, unsettled, piece, Fields.readText(reader));
  }

  private static void writeStatus(ByteWriter writer, Status status) {
    writer.writeByte(MessageType.STATUS);
    writer.writeLong(status.token());
    writer.writeLong(status.server());
    Fields.writeText(writer, status.name());
    Fields.writeCount(writer, status.startedMillis());
    Fields.writeCount(writer, status.nowMillis());
    Fields.writeShortList(writer, SERVICES_MAX, status.services(), ToolCodec::writeService);
    writePart(writer, status.members(), ToolCodec::writeMember);
    writePart(writer, status.collections(), ToolCodec::writeCollection);
    Fields.writeShortList(writer, DROPPED_MAX, status.dropped(), ToolCodec::writeDropped);
  }

  static Status readStatus(ByteReader reader) {
    long token = reader.readLong();
    long server = reader.readLong();
    String name = Fields.readText(reader);
    long startedMillis = Fields.readCount(reader);
    long nowMillis = Fields.readCount(reader);
    return new Status(
        token,
        server,
        name,
        startedMillis,
        nowMillis,
        Fields.readShortList(reader, SERVICES_MAX, ToolCodec::readService),
        readPart(reader, ToolCodec::readMember),
        readPart(reader, ToolCodec::readCollection),
        Fields.readShortList(reader, DROPPED_MAX, ToolCodec::readDropped));
  }

  private static <T> void writePart(
      ByteWriter writer, Part<T> part, BiConsumer<ByteWriter, T> element) {
    Fields.writeShortList(writer, PART_MAX, part.told(), element);
    Fields.writeCount(writer, part.more());
  }

  private static <T> Part<T> readPart(ByteReader reader, Function<ByteReader, T> element) {
    List<T> told = Fields.readShortList(reader, PART_MAX, element);
    return new Part<>(told, Fields.readCount(reader));
  }

  private static void writeMember(ByteWriter writer, MemberStatus member) {
    Fields.writeText(writer, member.address());
    Fields.writeText(writer, member.name());
    writer.writeBoolean(member.silent());
  }

  private static MemberStatus readMember(ByteReader reader) {
    String address = Fields.readText(reader);
    String name = Fields.readText(reader);
    return new MemberStatus(address, name, reader.readBoolean());
  }

  private static void writeCollection(ByteWriter writer, CollectionStatus collection) {
    Fields.writeText(writer, collection.service());
    Fields.writeText(writer, collection.collection());
    Fields.writeCount(writer, collection.entries());
    writeKnown(writer, collection.sizeBytes());
  }

  private static CollectionStatus readCollection(ByteReader reader) {
    String service = Fields.readText(reader);
    String collection = Fields.readText(reader);
    long entries = Fields.readCount(reader);
    return new CollectionStatus(service, collection, entries, readKnown(reader));
  }

  private static void writeDropped(ByteWriter writer, Dropped dropped) {
    Fields.writeText(writer, dropped.kind());
    Fields.writeCount(writer, dropped.count());
  }

  private static Dropped readDropped(ByteReader reader) {
    String kind = Fields.readText(reader);
    return new Dropped(kind, Fields.readCount(reader));
  }

  /** A number from 0, or that it is not known. */
  private static void writeKnown(ByteWriter writer, long number) {
    writer.writeBoolean(number != Message.NOT_KNOWN);
    if (number != Message.NOT_KNOWN) {
      Fields.writeCount(writer, number);
    }
  }

  private static long readKnown(ByteReader reader) {
    return reader.readBoolean() ? Fields.readCount(reader) : Message.NOT_KNOWN;
  }

  private static void writeService(ByteWriter writer, ServiceStatus service) {
    Fields.writeText(writer, service.name());
    writer.writeBoolean(service.active());
    writer.writeByte(number(service.role()));
    Fields.writeCount(writer, service.executed());
    writer.writeLong(service.hash());
    Fields.writeLastEpoch(writer, ReplicaCodec.NO_EPOCH, service.settledEpoch());
    Fields.writeCount(writer, service.unsettled());
    Fields.writeCount(writer, service.late());
    Fields.writeCount(writer, service.rerun());
    Fields.writeCount(writer, service.repaired());
    Fields.writeCount(writer, service.reads());
    Fields.writeCount(writer, service.byVotes());
    Fields.writeCount(writer, service.diverged());
    writeKnown(writer, service.lagMillis());
    writeKnown(writer, service.checkpoint().millis());
    writer.writeBoolean(service.checkpoint().failing());
  }

  private static ServiceStatus readService(ByteReader reader) {
    String name = Fields.readText(reader);
    boolean active = reader.readBoolean();
    ReplicaRole role = role(reader.readByte());
    long executed = Fields.readCount(reader);
    long hash = reader.readLong();
    long settledEpoch = Fields.readLastEpoch(reader, ReplicaCodec.NO_EPOCH);
    long unsettled = Fields.readCount(reader);
    long late = Fields.readCount(reader);
    long rerun = Fields.readCount(reader);
    long repaired = Fields.readCount(reader);
    long reads = Fields.readCount(reader);
    long byVotes = Fields.readCount(reader);
    long diverged = Fields.readCount(reader);
    long lagMillis = readKnown(reader);
    return new ServiceStatus(
        name,
        active,
        role,
        executed,
        hash,
        settledEpoch,
        unsettled,
        late,
        rerun,
        repaired,
        reads,
        byVotes,
        diverged,
        lagMillis,
        new CheckpointAge(readKnown(reader), reader.readBoolean()));
  }

  private static int number(ReplicaRole role) {
    return switch (role) {
      case PEER -> 0;
      case FOLLOWER -> 1;
      case LEADER -> 2;
      case SPARE -> 3;
    };
  }

  private static ReplicaRole role(int number) {
    return switch (number) {
      case 0 -> ReplicaRole.PEER;
      case 1 -> ReplicaRole.FOLLOWER;
      case 2 -> ReplicaRole.LEADER;
      case 3 -> ReplicaRole.SPARE;
      default -> throw new MalformedException("no role of a replica has the number " + number);
    };
  }

  private static void writeDescription(ByteWriter writer, Description description) {
    writer.writeByte(MessageType.DESCRIPTION);
    writer.writeLong(description.token());
    Fields.writeText(writer, description.service());
    Fields.writeShortList(writer, METHODS_MAX, description.methods(), ToolCodec::writeMethod);
    Fields.writeShortList(writer, SERVICES_MAX, description.hosted(), Fields::writeText);
  }

  static Description readDescription(ByteReader reader) {
    long token = reader.readLong();
    String service = Fields.readText(reader);
    List<MethodDescription> methods =
        Fields.readShortList(reader, METHODS_MAX, ToolCodec::readMethod);
    List<String> hosted = Fields.readShortList(reader, SERVICES_MAX, Fields::readText);
    return new Description(token, service, methods, hosted);
  }

  private static void writeMethod(ByteWriter writer, MethodDescription method) {
    writer.writeInt(method.number());
    Fields.writeText(writer, method.name());
    writer.writeBoolean(method.update());
    Fields.writeShortList(writer, PARAMETERS_MAX, method.parameters(), Fields::writeText);
    Fields.writeText(writer, method.result());
  }

  private static MethodDescription readMethod(ByteReader reader) {
    int number = reader.readInt();
    String name = Fields.readText(reader);
    boolean update = reader.readBoolean();
    List<String> parameters = Fields.readShortList(reader, PARAMETERS_MAX, Fields::readText);
    return new MethodDescription(number, name, update, parameters, Fields.readText(reader));
  }
}
