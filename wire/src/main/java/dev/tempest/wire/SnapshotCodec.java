package dev.tempest.wire;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Message.ClientRecord;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.RecordedAnswer;
import dev.tempest.wire.Message.Snapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The whole state of a replica. */
final class SnapshotCodec {
  private static final int PREFIX_SIZE_MIN_BYTES = 10;
  private static final int CLIENT_RECORD_SIZE_MIN_BYTES = 20;
  private static final int RECORDED_ANSWER_SIZE_MIN_BYTES = 1 + AnswerCodec.SIZE_MIN_BYTES;

  private SnapshotCodec() {}

  static void write(ByteWriter writer, Snapshot snapshot) {
    ReplicaCodec.writePrefix(writer, ReplicaCodec.NO_EPOCH, snapshot.settled());
    writeHistory(writer, snapshot.history());
    writer.writeBytes(snapshot.version());
    Fields.writeList(writer, snapshot.clients(), SnapshotCodec::writeClient);
    writeEntriesInOrder(writer, snapshot.unsettled());
  }

  static Snapshot read(ByteReader reader) {
    Prefix settled = ReplicaCodec.readPrefix(reader, ReplicaCodec.NO_EPOCH);
    List<Prefix> history = readHistory(reader);
    Bytes version = reader.readBytes();
    List<ClientRecord> clients =
        Fields.readList(reader, CLIENT_RECORD_SIZE_MIN_BYTES, SnapshotCodec::readClient);
    return new Snapshot(settled, history, version, clients, readEntriesInOrder(reader));
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

  private static void writeClient(ByteWriter writer, ClientRecord client) {
    writer.writeLong(client.client());
    writer.writeBoolean(client.writes());
    Fields.writeIntervals(writer, client.applied());
    Fields.writeStamp(writer, client.latest());
    Fields.writeCount(writer, client.answeredBelow());
    Fields.writeList(writer, client.results(), SnapshotCodec::writeRecordedAnswer);
  }

  private static ClientRecord readClient(ByteReader reader) {
    long client = reader.readLong();
    boolean writes = reader.readBoolean();
    IntervalSet applied = Fields.readIntervals(reader);
    long latest = Fields.readStamp(reader);
    long answeredBelow = Fields.readCount(reader);
    return new ClientRecord(
        client,
        writes,
        applied,
        latest,
        answeredBelow,
        Fields.readList(reader, RECORDED_ANSWER_SIZE_MIN_BYTES, SnapshotCodec::readRecordedAnswer));
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
