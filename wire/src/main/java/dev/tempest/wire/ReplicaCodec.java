package dev.tempest.wire;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Message.Ack;
import dev.tempest.wire.Message.AckRequest;
import dev.tempest.wire.Message.ClientIds;
import dev.tempest.wire.Message.CollectionSummary;
import dev.tempest.wire.Message.Digest;
import dev.tempest.wire.Message.EpochSummary;
import dev.tempest.wire.Message.Have;
import dev.tempest.wire.Message.OfLog;
import dev.tempest.wire.Message.PieceRequest;
import dev.tempest.wire.Message.PieceUnavailable;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.RangeIds;
import dev.tempest.wire.Message.Repair;
import dev.tempest.wire.Message.ReplicaMessage;
import dev.tempest.wire.Message.StateOffer;
import dev.tempest.wire.Message.StatePiece;
import dev.tempest.wire.Message.StateRequest;
import dev.tempest.wire.Message.StateSummary;
import dev.tempest.wire.Message.StateUnavailable;
import dev.tempest.wire.Message.Want;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What the replicas of one service say to each other. */
final class ReplicaCodec {
  /** Nothing settled or closed yet: what the first epoch comes after. */
  static final long NO_EPOCH = -1;

  /** As many as a state has. */
  static final int COLLECTIONS_MAX = 4_096;

  private static final int EPOCH_SUMMARY_SIZE_MIN_BYTES = 10;
  private static final int RANGE_SIZE_MIN_BYTES = 11;
  private static final int CLIENT_IDS_SIZE_MIN_BYTES = 9;

  private ReplicaCodec() {}

  static void write(ByteWriter writer, ReplicaMessage message) {
    writer.writeByte(type(message));
    writer.writeLong(message.service());
    writer.writeLong(message.replica());
    switch (message) {
      case Digest digest -> writeDigest(writer, digest);
      case Have have -> writeRanges(writer, have.ranges());
      case Want want -> Fields.writeList(writer, want.ids(), ReplicaCodec::writeClientIds);
      case Repair repair -> Fields.writeList(writer, repair.entries(), Fields::writeEntry);
      case StateSummary summary -> writeStateSummary(writer, summary);
      case AckRequest request -> writeClientIds(writer, request.ids());
      case Ack ack -> writeClientIds(writer, ack.ids());
      case StateRequest request -> {}
      case StateUnavailable unavailable -> writePrefix(writer, NO_EPOCH, unavailable.held());
      case StateOffer offer -> StateCodec.writeOffer(writer, offer);
      case PieceRequest request -> StateCodec.writePieceRequest(writer, request);
      case StatePiece piece -> StateCodec.writePiece(writer, piece);
      case PieceUnavailable unavailable -> Fields.writeText(writer, unavailable.reason());
      case OfLog log -> LogCodec.write(writer, log.said());
    }
  }

  private static int type(ReplicaMessage message) {
    return switch (message) {
      case Digest digest -> MessageType.DIGEST;
      case Have have -> MessageType.HAVE;
      case Want want -> MessageType.WANT;
      case Repair repair -> MessageType.REPAIR;
      case StateSummary summary -> MessageType.STATE_SUMMARY;
      case AckRequest request -> MessageType.ACK_REQUEST;
      case Ack ack -> MessageType.ACK;
      case StateRequest request -> MessageType.STATE_REQUEST;
      case StateUnavailable unavailable -> MessageType.STATE_UNAVAILABLE;
      case StateOffer offer -> MessageType.STATE_OFFER;
      case PieceRequest request -> MessageType.PIECE_REQUEST;
      case StatePiece piece -> MessageType.STATE_PIECE;
      case PieceUnavailable unavailable -> MessageType.PIECE_UNAVAILABLE;
      case OfLog log -> LogCodec.type(log.said());
    };
  }

  private static void writeDigest(ByteWriter writer, Digest digest) {
    writePrefix(writer, NO_EPOCH, digest.settled());
    writePrefix(writer, digest.settled().throughEpoch(), digest.closed());
    writer.writeLong(digest.stateHash());
    long below = digest.closed().throughEpoch();
    Fields.writeLastEpoch(writer, below, digest.openThrough());
    writer.writeVarint(digest.open().size());
    for (EpochSummary summary : digest.open()) {
      Fields.writeEpochAbove(writer, below, summary.epoch());
      Fields.writeCount(writer, summary.count());
      writer.writeLong(summary.hash());
      below = summary.epoch();
    }
    if (below > digest.openThrough()) {
      throw new IllegalArgumentException(
          "epoch " + below + " lies beyond the last one, " + digest.openThrough());
    }
  }

  static Digest readDigest(ByteReader reader) {
    long service = reader.readLong();
    long replica = reader.readLong();
    Prefix settled = readPrefix(reader, NO_EPOCH);
    Prefix closed = readPrefix(reader, settled.throughEpoch());
    long stateHash = reader.readLong();
    long below = closed.throughEpoch();
    long openThrough = Fields.readLastEpoch(reader, below);
    int count = reader.readCount(EPOCH_SUMMARY_SIZE_MIN_BYTES);
    List<EpochSummary> open = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long epoch = Fields.readEpochAbove(reader, below);
      long entries = Fields.readCount(reader);
      open.add(new EpochSummary(epoch, entries, reader.readLong()));
      below = epoch;
    }
    if (below > openThrough) {
      throw new MalformedException("epoch " + below + " lies beyond the last one, " + openThrough);
    }
    return new Digest(
        service,
        replica,
        settled,
        closed,
        stateHash,
        openThrough,
        Collections.unmodifiableList(open));
  }

  static Have readHave(ByteReader reader) {
    long service = reader.readLong();
    long replica = reader.readLong();
    return new Have(service, replica, readRanges(reader));
  }

  static Want readWant(ByteReader reader) {
    long service = reader.readLong();
    long replica = reader.readLong();
    return new Want(
        service,
        replica,
        Fields.readList(reader, CLIENT_IDS_SIZE_MIN_BYTES, ReplicaCodec::readClientIds));
  }

  static Repair readRepair(ByteReader reader) {
    long service = reader.readLong();
    long replica = reader.readLong();
    return new Repair(
        service, replica, Fields.readList(reader, Fields.ENTRY_SIZE_MIN_BYTES, Fields::readEntry));
  }

  private static void writeStateSummary(ByteWriter writer, StateSummary summary) {
    writePrefix(writer, NO_EPOCH, summary.settled());
    Fields.writeShortList(
        writer, COLLECTIONS_MAX, summary.collections(), ReplicaCodec::writeCollection);
  }

  static StateSummary readStateSummary(ByteReader reader) {
    long service = reader.readLong();
    long replica = reader.readLong();
    Prefix settled = readPrefix(reader, NO_EPOCH);
    return new StateSummary(
        service,
        replica,
        settled,
        Fields.readShortList(reader, COLLECTIONS_MAX, ReplicaCodec::readCollection));
  }

  private static void writeCollection(ByteWriter writer, CollectionSummary collection) {
    Fields.writeText(writer, collection.collection());
    writer.writeBoolean(collection.known());
    writer.writeLong(collection.hash());
  }

  private static CollectionSummary readCollection(ByteReader reader) {
    String collection = Fields.readText(reader);
    boolean known = reader.readBoolean();
    return new CollectionSummary(collection, known, reader.readLong());
  }

  static AckRequest readAckRequest(ByteReader reader) {
    long service = reader.readLong();
    long replica = reader.readLong();
    return new AckRequest(service, replica, readClientIds(reader));
  }

  static Ack readAck(ByteReader reader) {
    long service = reader.readLong();
    long replica = reader.readLong();
    return new Ack(service, replica, readClientIds(reader));
  }

  static StateRequest readStateRequest(ByteReader reader) {
    long service = reader.readLong();
    return new StateRequest(service, reader.readLong());
  }

  static StateUnavailable readStateUnavailable(ByteReader reader) {
    long service = reader.readLong();
    long replica = reader.readLong();
    return new StateUnavailable(service, replica, readPrefix(reader, NO_EPOCH));
  }

  /** A prefix that reaches at least through {@code from}. */
  static void writePrefix(ByteWriter writer, long from, Prefix prefix) {
    Fields.writeLastEpoch(writer, from, prefix.throughEpoch());
    Fields.writeCount(writer, prefix.count());
    writer.writeLong(prefix.hash());
  }

  static Prefix readPrefix(ByteReader reader, long from) {
    long throughEpoch = Fields.readLastEpoch(reader, from);
    long count = Fields.readCount(reader);
    return new Prefix(throughEpoch, count, reader.readLong());
  }

  private static void writeRanges(ByteWriter writer, List<RangeIds> ranges) {
    writer.writeVarint(ranges.size());
    long below = NO_EPOCH;
    for (RangeIds range : ranges) {
      Fields.writeEpochAbove(writer, below, range.first());
      Fields.writeLastEpoch(writer, range.first(), range.last());
      writer.writeLong(range.hash());
      writeClientsAscending(writer, range.clients());
      below = range.last();
    }
  }

  private static List<RangeIds> readRanges(ByteReader reader) {
    int count = reader.readCount(RANGE_SIZE_MIN_BYTES);
    List<RangeIds> ranges = new ArrayList<>(count);
    long below = NO_EPOCH;
    for (int i = 0; i < count; i++) {
      long first = Fields.readEpochAbove(reader, below);
      long last = Fields.readLastEpoch(reader, first);
      long hash = reader.readLong();
      ranges.add(new RangeIds(first, last, hash, readClientsAscending(reader)));
      below = last;
    }
    return Collections.unmodifiableList(ranges);
  }

  private static void writeClientsAscending(ByteWriter writer, List<ClientIds> clients) {
    writer.writeVarint(clients.size());
    for (int i = 0; i < clients.size(); i++) {
      if (i > 0 && clients.get(i - 1).client() >= clients.get(i).client()) {
        throw new IllegalArgumentException("clients do not ascend");
      }
      writeClientIds(writer, clients.get(i));
    }
  }

  private static List<ClientIds> readClientsAscending(ByteReader reader) {
    int count = reader.readCount(CLIENT_IDS_SIZE_MIN_BYTES);
    List<ClientIds> clients = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ClientIds ids = readClientIds(reader);
      if (i > 0 && clients.get(i - 1).client() >= ids.client()) {
        throw new MalformedException("clients do not ascend");
      }
      clients.add(ids);
    }
    return Collections.unmodifiableList(clients);
  }

  private static void writeClientIds(ByteWriter writer, ClientIds ids) {
    writer.writeLong(ids.client());
    Fields.writeIntervals(writer, ids.sequences());
  }

  private static ClientIds readClientIds(ByteReader reader) {
    long client = reader.readLong();
    return new ClientIds(client, Fields.readIntervals(reader));
  }
}
