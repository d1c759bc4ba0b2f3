package dev.tempest.wire;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * What bodies consist of. Writer and reader of a field stand together and have the same rule: what
 * the one writes, the other accepts.
 */
final class Fields {
  /** The longest text: names, types, details for people. */
  static final int TEXT_CHARS_MAX = 1_024;

  /** Of one of them in UTF-8. */
  private static final int CHAR_BYTES_MAX = 3;

  /** Each interval has at least a byte for where it begins and one for its length. */
  private static final int INTERVAL_SIZE_MIN_BYTES = 2;

  private Fields() {}

  /** Cuts a text that is for people to what fits, between two characters. */
  static String cut(String text) {
    if (text.length() <= TEXT_CHARS_MAX) {
      return text;
    }
    boolean splitsPair = Character.isHighSurrogate(text.charAt(TEXT_CHARS_MAX - 1));
    return text.substring(0, splitsPair ? TEXT_CHARS_MAX - 1 : TEXT_CHARS_MAX);
  }

  static void writeText(ByteWriter writer, String text) {
    if (text.length() > TEXT_CHARS_MAX) {
      throw new IllegalArgumentException(
          "a text has at most " + TEXT_CHARS_MAX + " characters, not " + text.length());
    }
    writer.writeString(text);
  }

  static String readText(ByteReader reader) {
    String text = reader.readString(CHAR_BYTES_MAX * TEXT_CHARS_MAX);
    if (text.length() > TEXT_CHARS_MAX) {
      throw new MalformedException(
          "a text of " + text.length() + " characters exceeds " + TEXT_CHARS_MAX);
    }
    return text;
  }

  /** A number from {@code min} to {@code max}, both small, in as few bytes as it needs. */
  static void writeSmall(ByteWriter writer, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(value + " is not in " + min + ".." + max);
    }
    writer.writeVarint(value);
  }

  static int readSmall(ByteReader reader, int min, int max) {
    int value = reader.readVarint(max);
    if (value < min) {
      throw new MalformedException(value + " is not in " + min + ".." + max);
    }
    return value;
  }

  /** A number from 0. */
  static void writeCount(ByteWriter writer, long count) {
    if (count < 0) {
      throw new IllegalArgumentException("a count starts at 0, not " + count);
    }
    writer.writeVarint(count);
  }

  static long readCount(ByteReader reader) {
    long count = reader.readVarint();
    if (count < 0) {
      throw new MalformedException("a count exceeds 63 bits");
    }
    return count;
  }

  static void writeId(ByteWriter writer, RequestId id) {
    writer.writeLong(id.client());
    writer.writeVarint(id.sequence());
  }

  static RequestId readId(ByteReader reader) {
    long client = reader.readLong();
    return new RequestId(client, readSequence(reader));
  }

  /** A number from 1. */
  static void writeSequence(ByteWriter writer, long sequence) {
    if (sequence < 1) {
      throw new IllegalArgumentException("sequences start at 1, not " + sequence);
    }
    writer.writeVarint(sequence);
  }

  static long readSequence(ByteReader reader) {
    long sequence = reader.readVarint();
    if (sequence < 1) {
      throw new MalformedException("sequences start at 1, not " + sequence);
    }
    return sequence;
  }

  static void writeStamp(ByteWriter writer, long stamp) {
    if (stamp < 0) {
      throw new IllegalArgumentException("a stamp is not negative: " + stamp);
    }
    writer.writeLong(stamp);
  }

  static long readStamp(ByteReader reader) {
    long stamp = reader.readLong();
    if (stamp < 0) {
      throw new MalformedException("a stamp is not negative: " + stamp);
    }
    return stamp;
  }

  static void writeCall(ByteWriter writer, Call call) {
    writer.writeInt(call.method());
    writer.writeBytes(call.arguments());
  }

  static Call readCall(ByteReader reader) {
    int method = reader.readInt();
    return new Call(method, reader.readBytes());
  }

  /** The least that {@link #writeEntry} writes. */
  static final int ENTRY_SIZE_MIN_BYTES = 19;

  private static final int CALL = 0;
  private static final int CHANGE = 1;
  private static final int EXECUTED = 2;
  private static final int PART = 3;

  /** Before the number of the body, with the first stamp. */
  private static final int AGAIN = 4;

  static void writeEntry(ByteWriter writer, Entry entry) {
    writeId(writer, entry.id());
    writeStamp(writer, entry.stamp());
    if (entry.firstStamp() != entry.stamp()) {
      writer.writeByte(AGAIN);
      writeStamp(writer, entry.firstStamp());
    }
    writeBody(writer, entry.body());
  }

  static void writeBody(ByteWriter writer, Body body) {
    switch (body) {
      case Call call -> {
        writer.writeByte(CALL);
        writeCall(writer, call);
      }
      case Change change -> {
        writer.writeByte(change.part() == 0 ? CHANGE : PART);
        if (change.part() != 0) {
          writer.writeInt(change.part());
        }
        writer.writeBytes(change.writes());
      }
      case Executed executed -> {
        writer.writeByte(EXECUTED);
        writer.writeLong(executed.execution());
        writer.writeBytes(executed.writes());
        AnswerCodec.write(writer, executed.answer());
      }
    }
  }

  static Entry readEntry(ByteReader reader) {
    RequestId id = readId(reader);
    long stamp = readStamp(reader);
    int which = reader.readByte();
    if (which != AGAIN) {
      return new Entry(id, stamp, readBody(reader, which));
    }
    long firstStamp = readStamp(reader);
    if (firstStamp >= stamp) {
      throw new MalformedException("an entry that was put in again had a lower stamp before");
    }
    return new Entry(id, stamp, firstStamp, readBody(reader, reader.readByte()));
  }

  static Body readBody(ByteReader reader, int which) {
    return switch (which) {
      case CALL -> readCall(reader);
      case CHANGE -> new Change(reader.readBytes());
      case EXECUTED -> readExecuted(reader);
      case PART -> readPart(reader);
      default -> throw new MalformedException("no body has the number " + which);
    };
  }

  private static Change readPart(ByteReader reader) {
    int part = reader.readInt();
    if (part == 0) {
      throw new MalformedException("a part of a change has the number of all of it");
    }
    return new Change(part, reader.readBytes());
  }

  private static Executed readExecuted(ByteReader reader) {
    long execution = reader.readLong();
    Bytes writes = reader.readRaw(reader.readVarint(Executed.WRITES_MAX_BYTES));
    Answer answer = AnswerCodec.read(reader);
    if (answer instanceof Answer.Refused) {
      throw new MalformedException("what was refused was not executed");
    }
    return new Executed(execution, writes, answer);
  }

  /**
   * An epoch after {@code below}, which is -1 or an epoch itself, as the number of epochs that lie
   * between the two.
   */
  static void writeEpochAbove(ByteWriter writer, long below, long epoch) {
    if (epoch <= below) {
      throw new IllegalArgumentException("epoch " + epoch + " does not come after " + below);
    }
    writer.writeVarint(epoch - below - 1);
  }

  static long readEpochAbove(ByteReader reader, long below) {
    long between = reader.readVarint();
    if (between < 0 || between > Long.MAX_VALUE - 1 - below) {
      throw new MalformedException("an epoch after " + below + " exceeds 63 bits");
    }
    return below + 1 + between;
  }

  /**
   * The last of some epochs, not before {@code from}, which is -1 or an epoch itself, as the number
   * of epochs from the one to the other.
   */
  static void writeLastEpoch(ByteWriter writer, long from, long epoch) {
    if (epoch < from) {
      throw new IllegalArgumentException("epoch " + epoch + " comes before " + from);
    }
    writer.writeVarint(epoch - from); // Up to 2^63, from -1: ten bytes, but no loss.
  }

  static long readLastEpoch(ByteReader reader, long from) {
    long epoch = from + reader.readVarint(); // May wrap, then it lies below.
    if (epoch < from) {
      throw new MalformedException("an epoch from " + from + " on exceeds 63 bits");
    }
    return epoch;
  }

  /**
   * The number of intervals; of each, how many numbers lie between the interval before (or 0) and
   * it, not counting the one that has to, and how many numbers it has after its first.
   */
  static void writeIntervals(ByteWriter writer, IntervalSet set) {
    int intervals = set.intervals();
    writer.writeVarint(intervals);
    long lowest = 1;
    for (int i = 0; i < intervals; i++) {
      writer.writeVarint(set.first(i) - lowest);
      writer.writeVarint(set.last(i) - set.first(i));
      lowest = set.last(i) + 2;
    }
  }

  static IntervalSet readIntervals(ByteReader reader) {
    return readIntervals(reader, Integer.MAX_VALUE);
  }

  /** At most so many. */
  static IntervalSet readIntervals(ByteReader reader, int max) {
    int intervals = reader.readCount(INTERVAL_SIZE_MIN_BYTES, max);
    IntervalSet set = new IntervalSet();
    long lowest = 1;
    for (int i = 0; i < intervals; i++) {
      long skipped = reader.readVarint();
      // After an interval that ends within 1 of the largest number, lowest has wrapped.
      if (lowest < 1 || skipped < 0 || skipped > Long.MAX_VALUE - lowest) {
        throw new MalformedException("an interval begins beyond 63 bits");
      }
      long first = lowest + skipped;
      long more = reader.readVarint();
      if (more < 0 || more > Long.MAX_VALUE - first) {
        throw new MalformedException("an interval ends beyond 63 bits");
      }
      long last = first + more;
      set.append(first, last);
      lowest = last + 2;
    }
    return set;
  }

  static <T> void writeList(ByteWriter writer, List<T> list, BiConsumer<ByteWriter, T> element) {
    writer.writeVarint(list.size());
    for (T each : list) {
      element.accept(writer, each);
    }
  }

  /** A list of any length, of elements that take at least {@code elementSizeMinBytes} each. */
  static <T> List<T> readList(
      ByteReader reader, int elementSizeMinBytes, Function<ByteReader, T> element) {
    int count = reader.readCount(elementSizeMinBytes);
    if (count == 0) {
      return List.of();
    }
    List<T> list = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      list.add(element.apply(reader));
    }
    return Collections.unmodifiableList(list);
  }

  /** A list of at most {@code max} elements. */
  static <T> void writeShortList(
      ByteWriter writer, int max, List<T> list, BiConsumer<ByteWriter, T> element) {
    if (list.size() > max) {
      throw new IllegalArgumentException(
          "a list of " + list.size() + " elements where at most " + max + " are allowed");
    }
    writeList(writer, list, element);
  }

  static <T> List<T> readShortList(ByteReader reader, int max, Function<ByteReader, T> element) {
    int count = reader.readCount(1, max);
    List<T> list = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      list.add(element.apply(reader));
    }
    return Collections.unmodifiableList(list);
  }
}
