package dev.tempest.wire;

import dev.tempest.values.ByteReader;
import dev.tempest.values.ByteWriter;
import dev.tempest.wire.Message.DescribeRequest;
import dev.tempest.wire.Message.Description;
import dev.tempest.wire.Message.MethodDescription;
import dev.tempest.wire.Message.ServiceStatus;
import dev.tempest.wire.Message.Status;
import dev.tempest.wire.Message.StatusRequest;
import dev.tempest.wire.Message.ToolMessage;
import java.util.List;

/** What tools and servers say to each other. */
final class ToolCodec {
  /** More services than one server hosts. */
  static final int SERVICES_MAX = 1_024;

  /** More methods than a service has. */
  static final int METHODS_MAX = 1_024;

  /** As many parameters as a method may have. */
  static final int PARAMETERS_MAX = 255;

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
    }
  }

  static StatusRequest readStatusRequest(ByteReader reader) {
    return new StatusRequest(reader.readLong());
  }

  static DescribeRequest readDescribeRequest(ByteReader reader) {
    long token = reader.readLong();
    return new DescribeRequest(token, Fields.readText(reader));
  }

  private static void writeStatus(ByteWriter writer, Status status) {
    writer.writeByte(MessageType.STATUS);
    writer.writeLong(status.token());
    writer.writeLong(status.server());
    Fields.writeText(writer, status.name());
    Fields.writeCount(writer, status.startedMillis());
    Fields.writeShortList(writer, SERVICES_MAX, status.services(), ToolCodec::writeService);
  }

  static Status readStatus(ByteReader reader) {
    long token = reader.readLong();
    long server = reader.readLong();
    String name = Fields.readText(reader);
    long startedMillis = Fields.readCount(reader);
    return new Status(
        token,
        server,
        name,
        startedMillis,
        Fields.readShortList(reader, SERVICES_MAX, ToolCodec::readService));
  }

  private static void writeService(ByteWriter writer, ServiceStatus service) {
    Fields.writeText(writer, service.name());
    writer.writeBoolean(service.active());
    Fields.writeCount(writer, service.executed());
    writer.writeLong(service.hash());
    Fields.writeLastEpoch(writer, ReplicaCodec.NO_EPOCH, service.settledEpoch());
    Fields.writeCount(writer, service.unsettled());
    Fields.writeCount(writer, service.late());
    Fields.writeCount(writer, service.rerun());
    Fields.writeCount(writer, service.repaired());
    Fields.writeCount(writer, service.reads());
    Fields.writeCount(writer, service.diverged());
  }

  private static ServiceStatus readService(ByteReader reader) {
    String name = Fields.readText(reader);
    boolean active = reader.readBoolean();
    long executed = Fields.readCount(reader);
    long hash = reader.readLong();
    long settledEpoch = Fields.readLastEpoch(reader, ReplicaCodec.NO_EPOCH);
    long unsettled = Fields.readCount(reader);
    long late = Fields.readCount(reader);
    long rerun = Fields.readCount(reader);
    long repaired = Fields.readCount(reader);
    long reads = Fields.readCount(reader);
    return new ServiceStatus(
        name,
        active,
        executed,
        hash,
        settledEpoch,
        unsettled,
        late,
        rerun,
        repaired,
        reads,
        Fields.readCount(reader));
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
