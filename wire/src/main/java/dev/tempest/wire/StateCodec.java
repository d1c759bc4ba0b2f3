package dev.tempest.wire;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Kept.Absence;
import dev.tempest.wire.Message.ClientRecord;
import dev.tempest.wire.Message.PieceRequest;
import dev.tempest.wire.Message.PieceUnavailable;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.RecordedAnswer;
import dev.tempest.wire.Message.StateOffer;
import dev.tempest.wire.Message.StatePiece;
import dev.tempest.wire.Past.Ancestor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A state on its way from one replica to another. */
final class StateCodec {
  private static final int PREFIX_SIZE_MIN_BYTES = 10;
  private static final int ANCESTOR_SIZE_MIN_BYTES = 9;
  private static final int CLIENT_RECORD_SIZE_MIN_BYTES = 27;
  private static final int RECORDED_ANSWER_SIZE_MIN_BYTES = 1 + AnswerCodec.SIZE_MIN_BYTES;

  private static final int OF_VERSION = 1;
  private static final int OF_CLIENTS = 2;
  private static final int OF_ENTRIES = 3;

  private StateCodec() {}

  static void writeOffer(ByteWriter writer, StateOffer offer) {
    ReplicaCodec.writePrefix(writer, ReplicaCodec.NO_EPOCH, offer.settled());
    writePast(writer, offer.past());
    writeKept(writer, offer.kept());
  }

  static StateOffer readOffer(ByteReader reader) {
    long service = reader.readLong();
    long replica = reader.readLong();
    Prefix settled = ReplicaCodec.readPrefix(reader, ReplicaCodec.NO_EPOCH);
    return new StateOffer(service, replica, settled, readPast(reader), readKept(reader));
  }

  private static void writePast(ByteWriter writer, Past past) {
    writeHistory(writer, past.history());
    checkAscending(ids(past.ancestors()), IllegalArgumentException::new);
    Fields.writeList(writer, past.ancestors(), StateCodec::writeAncestor);
  }

  private static Past readPast(ByteReader reader) {
    List<Prefix> history = readHistory(reader);
    List<Ancestor> ancestors =
        Fields.readList(reader, ANCESTOR_SIZE_MIN_BYTES, StateCodec::readAncestor);
    checkAscending(ids(ancestors), MalformedException::new);
    return new Past(history, ancestors);
  }

  private static List<Long> ids(List<Ancestor> ancestors) {
    return ancestors.stream().map(Ancestor::replica).toList();
  }

  private static void writeKept(ByteWriter writer, Kept kept) {
    Fields.writeLastEpoch(writer, ReplicaCodec.NO_EPOCH, kept.sinceEpoch());
    checkAscending(away(kept.away()), IllegalArgumentException::new);
    Fields.writeShortList(writer, Kept.AWAY_MAX, kept.away(), StateCodec::writeAbsence);
  }

  private static Kept readKept(ByteReader reader) {
    long sinceEpoch = Fields.readLastEpoch(reader, ReplicaCodec.NO_EPOCH);
    List<Absence> away = Fields.readShortList(reader, Kept.AWAY_MAX, StateCodec::readAbsence);
    checkAscending(away(away), MalformedException::new);
    return new Kept(sinceEpoch, away);
  }

  private static List<Long> away(List<Absence> absences) {
    return absences.stream().map(Absence::replica).toList();
  }

  private static void writeAbsence(ByteWriter writer, Absence absence) {
    writer.writeLong(absence.replica());
    Fields.writeCount(writer, absence.forMillis());
  }

  private static Absence readAbsence(ByteReader reader) {
    return new Absence(reader.readLong(), Fields.readCount(reader));
  }

  private static void checkAscending(
      List<Long> replicas, Function<String, RuntimeException> refusal) {
    for (int i = 1; i < replicas.size(); i++) {
      if (replicas.get(i - 1) >= replicas.get(i)) {
        throw refusal.apply("replicas do not ascend");
      }
    }
  }

  private static void writeAncestor(ByteWriter writer, Ancestor ancestor) {
    writer.writeLong(ancestor.replica());
    Fields.writeCount(writer, ancestor.throughEpoch());
  }

  private static Ancestor readAncestor(ByteReader reader) {
    return new Ancestor(reader.readLong(), Fields.readCount(reader));
  }

  static void writePieceRequest(ByteWriter writer, PieceRequest request) {
    ReplicaCodec.writePrefix(writer, ReplicaCodec.NO_EPOCH, request.settled());
    writeWish(writer, request.wish());
  }

  static PieceRequest readPieceRequest(ByteReader reader) {
    long service = reader.readLong();
    long replica = reader.readLong();
    Prefix settled = ReplicaCodec.readPrefix(reader, ReplicaCodec.NO_EPOCH);
    return new PieceRequest(service, replica, settled, readWish(reader));
  }

  static void writePiece(ByteWriter writer, StatePiece piece) {
    ReplicaCodec.writePrefix(writer, ReplicaCodec.NO_EPOCH, piece.settled());
    writePieceItself(writer, piece.piece());
  }

  static void writePieceItself(ByteWriter writer, Piece piece) {
    switch (piece) {
      case Piece.OfVersion(Bytes bytes) -> {
        writer.writeByte(OF_VERSION);
        writer.writeBytes(bytes);
      }
      case Piece.OfClients some -> {
        writer.writeByte(OF_CLIENTS);
        writeClients(writer, some);
      }
      case Piece.OfEntries(Wish.OfEntries after, List<Entry> entries, boolean isLast) -> {
        writer.writeByte(OF_ENTRIES);
        writeAfter(writer, after);
        writeEntriesInOrder(writer, entries);
        writer.writeBoolean(isLast);
      }
    }
  }

  static StatePiece readPiece(ByteReader reader) {
    long service = reader.readLong();
    long replica = reader.readLong();
    Prefix settled = ReplicaCodec.readPrefix(reader, ReplicaCodec.NO_EPOCH);
    return new StatePiece(service, replica, settled, readPieceItself(reader));
  }

  static Piece readPieceItself(ByteReader reader) {
    int kind = reader.readByte();
    return switch (kind) {
      case OF_VERSION -> new Piece.OfVersion(reader.readBytes());
      case OF_CLIENTS -> readClients(reader);
      case OF_ENTRIES -> {
        Wish.OfEntries after = readAfter(reader);
        List<Entry> entries = readEntriesInOrder(reader);
        yield new Piece.OfEntries(after, entries, reader.readBoolean());
      }
      default -> throw new MalformedException("no kind of piece: " + kind);
    };
  }

  static PieceUnavailable readUnavailable(ByteReader reader) {
    long service = reader.readLong();
    long replica = reader.readLong();
    return new PieceUnavailable(service, replica, Fields.readText(reader));
  }

  static void writeWish(ByteWriter writer, Wish wish) {
    switch (wish) {
      case Wish.OfVersion(Bytes bytes) -> {
        writer.writeByte(OF_VERSION);
        writer.writeBytes(bytes);
      }
      case Wish.OfClients(long from) -> {
        writer.writeByte(OF_CLIENTS);
        writer.writeLong(from);
      }
      case Wish.OfEntries after -> {
        writer.writeByte(OF_ENTRIES);
        writeAfter(writer, after);
      }
    }
  }

  static Wish readWish(ByteReader reader) {
    int kind = reader.readByte();
    return switch (kind) {
      case OF_VERSION -> new Wish.OfVersion(reader.readBytes());
      case OF_CLIENTS -> new Wish.OfClients(reader.readLong());
      case OF_ENTRIES -> readAfter(reader);
      default -> throw new MalformedException("no kind of wish: " + kind);
    };
  }

  private static void writeAfter(ByteWriter writer, Wish.OfEntries after) {
    Fields.writeStamp(writer, after.stamp());
    Fields.writeId(writer, after.id());
  }

  private static Wish.OfEntries readAfter(ByteReader reader) {
    long stamp = Fields.readStamp(reader);
    return new Wish.OfEntries(stamp, Fields.readId(reader));
  }

  private static void writeHistory(ByteWriter writer, List<Prefix> history) {
    writer.writeVarint(history.size());
    long below = ReplicaCodec.NO_EPOCH;
    for (Prefix prefix : history) {
      Fields.writeEpochAbove(writer, below, prefix.throughEpoch());
      Fields.writeCount(writer, prefix.count());
      writer.writeLong(prefix.hash());
      below = prefix.throughEpoch();
    }
  }

  private static List<Prefix> readHistory(ByteReader reader) {
    int count = reader.readCount(PREFIX_SIZE_MIN_BYTES);
    List<Prefix> history = new ArrayList<>(count);
    long below = ReplicaCodec.NO_EPOCH;
    for (int i = 0; i < count; i++) {
      long epoch = Fields.readEpochAbove(reader, below);
      long entries = Fields.readCount(reader);
      history.add(new Prefix(epoch, entries, reader.readLong()));
      below = epoch;
    }
    return Collections.unmodifiableList(history);
  }

  private static void checkNext(
      long from, long nextFrom, Function<String, RuntimeException> refusal) {
    if (nextFrom != 0 && Long.compareUnsigned(nextFrom, from) <= 0) {
      throw refusal.apply("the clients after " + from + " lie from " + nextFrom + " on");
    }
  }

  private static void writeClients(ByteWriter writer, Piece.OfClients piece) {
    checkNext(piece.from(), piece.nextFrom(), IllegalArgumentException::new);
    writer.writeLong(piece.from());
    Fields.writeList(writer, piece.clients(), StateCodec::writeClient);
    writer.writeLong(piece.nextFrom());
    Fields.writeStamp(writer, piece.youngSince());
    Fields.writeStamp(writer, piece.forgottenBefore());
  }

  private static Piece.OfClients readClients(ByteReader reader) {
    long from = reader.readLong();
    List<ClientRecord> clients =
        Fields.readList(reader, CLIENT_RECORD_SIZE_MIN_BYTES, StateCodec::readClient);
    long nextFrom = reader.readLong();
    checkNext(from, nextFrom, MalformedException::new);
    long youngSince = Fields.readStamp(reader);
    return new Piece.OfClients(from, clients, nextFrom, youngSince, Fields.readStamp(reader));
  }

  private static void writeClient(ByteWriter writer, ClientRecord client) {
    writer.writeLong(client.client());
    Fields.writeIntervals(writer, client.applied());
    Fields.writeStamp(writer, client.latest());
    Fields.writeStamp(writer, client.since());
    Fields.writeCount(writer, client.answeredBelow());
    Fields.writeList(writer, client.results(), StateCodec::writeRecordedAnswer);
  }

  private static ClientRecord readClient(ByteReader reader) {
    long client = reader.readLong();
    IntervalSet applied = Fields.readIntervals(reader);
    long latest = Fields.readStamp(reader);
    long since = Fields.readStamp(reader);
    long answeredBelow = Fields.readCount(reader);
    return new ClientRecord(
        client,
        applied,
        latest,
        since,
        answeredBelow,
        Fields.readList(reader, RECORDED_ANSWER_SIZE_MIN_BYTES, StateCodec::readRecordedAnswer));
  }

  private static void writeRecordedAnswer(ByteWriter writer, RecordedAnswer recorded) {
    Fields.writeSequence(writer, recorded.sequence());
    AnswerCodec.write(writer, recorded.answer());
  }

  private static RecordedAnswer readRecordedAnswer(ByteReader reader) {
    long sequence = Fields.readSequence(reader);
    return new RecordedAnswer(sequence, AnswerCodec.read(reader));
  }

  private static void writeEntriesInOrder(ByteWriter writer, List<Entry> entries) {
    writer.writeVarint(entries.size());
    @Nullable Entry before = null;
    for (Entry entry : entries) {
      if (before != null && before.compareTo(entry) >= 0) {
        throw new IllegalArgumentException(entry.id() + " does not come after " + before.id());
      }
      Fields.writeEntry(writer, entry);
      before = entry;
    }
  }

  private static List<Entry> readEntriesInOrder(ByteReader reader) {
    int count = reader.readCount(Fields.ENTRY_SIZE_MIN_BYTES);
    List<Entry> entries = new ArrayList<>(count);
    @Nullable Entry before = null;
    for (int i = 0; i < count; i++) {
      Entry entry = Fields.readEntry(reader);
      if (before != null && before.compareTo(entry) >= 0) {
        throw new MalformedException(entry.id() + " does not come after " + before.id());
      }
      entries.add(entry);
      before = entry;
    }
    return Collections.unmodifiableList(entries);
  }
}
