package dev.tempest.wire;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.MalformedException;
import java.util.List;

/** What stands in the slots of a log. */
final class EntryCodec {
  private static final int BEGUN = 0;
  private static final int MEMBERS = 1;
  private static final int PASSED = 2;
  private static final int PROPOSED = 3;
  private static final int CALLED = 4;

  /** The number of what stands there, and one more. */
  private static final int ENTRY_SIZE_MIN_BYTES = 2;

  /** Client, sequence, time, bound of answered ones, method, outcome, and no arguments. */
  private static final int CALLED_SIZE_MIN_BYTES = 8 + 1 + 1 + 1 + 4 + 8 + 1;

  private EntryCodec() {}

  static void writeEntries(ByteWriter writer, long from, List<SlotEntry> entries) {
    Fields.writeCount(writer, from);
    Fields.writeList(writer, entries, EntryCodec::writeEntry);
  }

  static List<SlotEntry> readEntries(ByteReader reader) {
    return Fields.readList(reader, ENTRY_SIZE_MIN_BYTES, EntryCodec::readEntry);
  }

  static void writeAllCalled(ByteWriter writer, List<SlotEntry.Called> entries) {
    Fields.writeList(writer, entries, EntryCodec::writeCalled);
  }

  static List<SlotEntry.Called> readAllCalled(ByteReader reader) {
    return Fields.readList(reader, CALLED_SIZE_MIN_BYTES, EntryCodec::readCalled);
  }

  private static void writeEntry(ByteWriter writer, SlotEntry entry) {
    switch (entry) {
      case SlotEntry.Begun(Ballot ballot) -> {
        writer.writeByte(BEGUN);
        LogCodec.writeBallot(writer, ballot);
      }
      case SlotEntry.Members(List<Long> members) -> {
        writer.writeByte(MEMBERS);
        LogCodec.writeMembers(writer, members);
      }
      case SlotEntry.Passed(long millis) -> {
        writer.writeByte(PASSED);
        Fields.writeCount(writer, millis);
      }
      case SlotEntry.Proposed(RequestId id, long millis, long answeredBelow, Body body) -> {
        writer.writeByte(PROPOSED);
        Fields.writeId(writer, id);
        Fields.writeCount(writer, millis);
        Fields.writeCount(writer, answeredBelow);
        Fields.writeBody(writer, body);
      }
      case SlotEntry.Called called -> {
        writer.writeByte(CALLED);
        writeCalled(writer, called);
      }
    }
  }

  private static SlotEntry readEntry(ByteReader reader) {
    int kind = reader.readByte();
    return switch (kind) {
      case BEGUN -> new SlotEntry.Begun(LogCodec.readBallot(reader));
      case MEMBERS -> new SlotEntry.Members(LogCodec.readMembers(reader));
      case PASSED -> new SlotEntry.Passed(Fields.readCount(reader));
      case PROPOSED -> {
        RequestId id = Fields.readId(reader);
        long millis = Fields.readCount(reader);
        long answeredBelow = Fields.readCount(reader);
        yield new SlotEntry.Proposed(
            id, millis, answeredBelow, Fields.readBody(reader, reader.readByte()));
      }
      case CALLED -> readCalled(reader);
      default -> throw new MalformedException("nothing of number " + kind + " stands in a slot");
    };
  }

  private static void writeCalled(ByteWriter writer, SlotEntry.Called called) {
    Fields.writeId(writer, called.id());
    Fields.writeCount(writer, called.millis());
    Fields.writeCount(writer, called.answeredBelow());
    Fields.writeCall(writer, called.call());
    writer.writeLong(called.outcome());
  }

  private static SlotEntry.Called readCalled(ByteReader reader) {
    RequestId id = Fields.readId(reader);
    long millis = Fields.readCount(reader);
    long answeredBelow = Fields.readCount(reader);
    Call call = Fields.readCall(reader);
    return new SlotEntry.Called(id, millis, answeredBelow, call, reader.readLong());
  }
}
