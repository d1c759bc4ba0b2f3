package dev.tempest.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.MalformedException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever the bytes: a frame, or a refusal, at no more cost than the bytes allow. */
class MalformedFrameTest {
  /** What one byte may cost: the densest is a client without sequences, an object for 9 bytes. */
  private static final long HEAP_PER_BYTE = 64;

  private static final long HEAP_PER_FRAME = 16_384;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The numbers of all kinds of message. */
  private static final int[] TYPES =
      GoldenFrames.examples().stream()
          .map(example -> Frames.write(example.frame()))
          .filter(bytes -> bytes.length > FrameCodec.HEADER_BYTES)
          .mapToInt(bytes -> bytes[FrameCodec.HEADER_BYTES] & 0xFF)
          .distinct()
          .toArray();

  static LongStream seeds() {
    return Seeds.of(100);
  }

  @Test
  void everyFlippedBitIsNoticed() {
    SplittableRandom random = new SplittableRandom(1);
    RandomMessages messages = new RandomMessages(random);
    for (int round = 0; round < 50; round++) {
      byte[] bytes = Frames.write(new Frame(1, 2, List.of(messages.next(), messages.next())));
      for (int bit = 0; bit < 8 * bytes.length; bit++) {
        flip(bytes, bit);
        assertRefused(bytes);
        flip(bytes, bit);
      }
      Frames.read(bytes); // Flipped back it is the frame again.
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everyTruncationIsRefused(long seed) {
    RandomMessages messages = new RandomMessages(new SplittableRandom(seed));
    byte[] bytes = Frames.write(new Frame(1, 2, List.of(messages.next())));
    for (int length = 0; length < bytes.length; length++) {
      assertRefused(Arrays.copyOf(bytes, length));
      if (length > FrameCodec.HEADER_BYTES) {
        assertRefused(Frames.withChecksum(Arrays.copyOf(bytes, length)));
      }
    }
    assertRefused(Frames.withChecksum(Arrays.copyOf(bytes, bytes.length + 1)));
  }

  /** It took as much memory as its frame, before it was found to be too long. */
  @Test
  void aLongTextIsRefusedUnread() {
    int length = 500_000;
    ByteWriter writer = new ByteWriter(1 << 20);
    FrameCodec.begin(writer, 1, 2);
    writer.writeByte(MessageType.DESCRIBE_REQUEST);
    int start = writer.size();
    writer.writeLong(1);
    writer.writeVarint(length);
    writer.writeRaw(new byte[length], 0, length);
    writer.insertVarint(start, writer.size() - start);
    FrameCodec.end(writer);
    byte[] bytes = writer.toBytes().toArray();
    assertRefused(bytes);
    assertThat(allocatedByReading(bytes)).isLessThan(HEAP_PER_FRAME);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void randomBytesAreAFrameOrRefused(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] header = Frames.write(new Frame(1, 2, List.of()));
    for (int round = 0; round < 100; round++) {
      byte[] noise = new byte[random.nextInt(300)];
      random.nextBytes(noise);
      assertRefused(noise);
      // A body of a known type and the right length, so that its reader is reached.
      byte[] body = new byte[random.nextInt(random.nextBoolean() ? 40 : 120)];
      random.nextBytes(body);
      if (random.nextBoolean()) {
        for (int i = 0; i < body.length; i++) {
          body[i] &= 3; // Small counts let the reader get further.
        }
      }
      byte[] bytes = Arrays.copyOf(header, header.length + 2 + body.length);
      bytes[header.length] = (byte) TYPES[random.nextInt(TYPES.length)];
      bytes[header.length + 1] = (byte) body.length;
      System.arraycopy(body, 0, bytes, header.length + 2, body.length);
      assertFrameOrRefused(Frames.withChecksum(bytes));
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void damagedFramesWithTheRightChecksumAreAFrameOrRefused(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomMessages messages = new RandomMessages(random);
    for (int round = 0; round < 100; round++) {
      byte[] bytes = Frames.write(new Frame(1, 2, List.of(messages.next(), messages.next())));
      for (int more = random.nextInt(1, 4); more > 0; more--) {
        damage(bytes, random);
      }
      assertFrameOrRefused(Frames.withChecksum(bytes));
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void splicedFramesAreAFrameOrRefused(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomMessages messages = new RandomMessages(random);
    for (int round = 0; round < 100; round++) {
      byte[] front = Frames.write(new Frame(1, 2, List.of(messages.next())));
      byte[] back = Frames.write(new Frame(1, 2, List.of(messages.next())));
      int from = random.nextInt(FrameCodec.HEADER_BYTES, back.length);
      int at = random.nextInt(FrameCodec.HEADER_BYTES, front.length);
      byte[] bytes = Arrays.copyOf(front, at + back.length - from);
      System.arraycopy(back, from, bytes, at, back.length - from);
      assertFrameOrRefused(Frames.withChecksum(bytes));
    }
  }

  @Test
  void countsBeyondTheBytesCostNothing() {
    for (int type : TYPES) {
      for (int at = 0; at < 60; at++) {
        int blanks = at;
        byte[] bytes =
            body(
                type,
                writer -> {
                  for (int i = 0; i < blanks; i++) {
                    writer.writeByte(0);
                  }
                  writer.writeVarint(Integer.MAX_VALUE);
                });
        assertFrameOrRefused(bytes);
      }
    }
  }

  @Test
  void intervalsThatAreNoneAreRefused() {
    assertWantRefused(1, -1, 0); // Skips 2^64 - 1.
    assertWantRefused(1, 0, -1);
    assertWantRefused(1, Long.MAX_VALUE, 0); // Begins at 2^63.
    assertWantRefused(1, Long.MAX_VALUE - 1, 1); // Ends at 2^63.
    assertWantRefused(2, Long.MAX_VALUE - 1, 0, 0, 0); // A second one after the largest number.
    assertWantRefused(2, Long.MAX_VALUE - 2, 0, 0, 0); // ... and with no room for the gap.
    assertWantRefused(2, 0, 0); // The second one is missing.
    assertThat(Frames.read(want(2, Long.MAX_VALUE - 3, 0, 0, 0)).messages())
        .singleElement()
        .hasToString(
            "Want[service=1, replica=2, ids=[ClientIds[client=3, sequences={%d, %d}]]]"
                .formatted(Long.MAX_VALUE - 2, Long.MAX_VALUE));
  }

  @Test
  void numbersOutOfRangeAreRefused() {
    Frames.read(update(0, 1, 0, 1, 0)); // In range, and what follows differs in one place.
    assertRefused(update(RequestCodec.ATTEMPT_MAX + 1, 1, 0, 1, 0), "exceeds");
    assertRefused(update(0, 0, 0, 1, 0), "0 is not in 1..");
    assertRefused(update(0, RequestCodec.ACKS_MAX + 1, 0, 1, 0), "exceeds");
    assertRefused(update(0, 1, -1, 1, 0), "a count");
    assertRefused(update(0, 1, 0, 0, 0), "sequences start at 1");
    assertRefused(update(0, 1, 0, -1, 0), "sequences start at 1");
    assertRefused(update(0, 1, 0, 1, -1), "a stamp");
    byte[] unknownOrder = update(0, 1, 0, 1, 0);
    int part = FrameCodec.HEADER_BYTES + 2 + 8 + 3 + 9;
    unknownOrder[part] = 7;
    assertRefused(Frames.withChecksum(unknownOrder), "no order has the number 7");
    assertRefused(answer(3, 0, 0), "no answer has the number 3");
    assertRefused(answer(2, 11, 0), "no reason has the number 11");
    Frames.read(answer(2, 7, 0));
    Frames.read(repair(1));
    assertRefused(repair(5), "no body has the number 5");
    Frames.read(repairAgain(4, 1));
    assertRefused(repairAgain(5, 1), "an entry that was put in again had a lower stamp before");
    assertRefused(repairAgain(4, 4), "no body has the number 4");
    Frames.read(probe(2));
    assertRefused(probe(3), "no state of a member has the number 3");
  }

  @Test
  void listsAndTextsBeyondTheirLimitsAreRefused() {
    Frames.read(hosted(ToolCodec.SERVICES_MAX, 0));
    assertRefused(hosted(ToolCodec.SERVICES_MAX + 1, 0), "exceeds");
    Frames.read(hosted(1, Fields.TEXT_CHARS_MAX));
    assertRefused(hosted(1, Fields.TEXT_CHARS_MAX + 1), "exceeds");
  }

  @Test
  void anExecutionThatWroteTooMuchOrNeverHappenedIsRefused() {
    assertRefused(executed(Executed.WRITES_MAX_BYTES + 1, 0), "exceeds 16777216");
    assertRefused(executed(2, 2), "what was refused was not executed");
    assertRefused(executed(2, 3), "no answer has the number 3");
  }

  @Test
  void otherFormatsAndVersionsAreRefusedWithTheReason() {
    byte[] other = Frames.write(new Frame(1, 2, List.of()));
    other[0] = 'G';
    assertRefused(Frames.withChecksum(other), "not a frame");
    byte[] later = Frames.write(new Frame(1, 2, List.of()));
    later[2] = 3;
    assertRefused(Frames.withChecksum(later), "version 3, not 2");
  }

  @Test
  void anUnknownMessageRefusesItsFrame() {
    for (int type = 0; type < 256; type++) {
      int unknown = type;
      if (Arrays.stream(TYPES).noneMatch(known -> known == unknown)) {
        assertRefused(body(unknown, writer -> writer.writeLong(0)), "no such type");
      }
    }
  }

  @Test
  void aRefusalNamesTheMessage() {
    assertRefused(body(MessageType.REPLY, writer -> writer.writeLong(0)), "message of type 0x4:");
  }

  private static void assertWantRefused(long... intervals) {
    assertRefused(want(intervals));
  }

  private static byte[] update(
      long attempt, long acks, long answeredBelow, long sequence, long stamp) {
    return body(
        MessageType.UPDATE,
        writer -> {
          writer.writeLong(1);
          writer.writeVarint(attempt);
          writer.writeVarint(acks);
          writer.writeVarint(answeredBelow);
          writer.writeLong(2);
          writer.writeVarint(sequence);
          writer.writeByte(OrderPartCodec.BY_TIME);
          writer.writeLong(stamp);
          writer.writeInt(3);
          writer.writeVarint(0);
        });
  }

  /** A Repair with one execution. */
  private static byte[] executed(long writes, int answer) {
    return body(
        MessageType.REPAIR,
        writer -> {
          writer.writeLong(1);
          writer.writeLong(2);
          writer.writeVarint(1);
          writer.writeLong(3);
          writer.writeVarint(4);
          writer.writeLong(5);
          writer.writeByte(2);
          writer.writeLong(6);
          writer.writeVarint(writes);
          writer.writeInt(0x01020000 | answer << 8); // Two bytes written, then the answer.
          writer.writeInt(0);
        });
  }

  /** A Reply with the bytes of an answer. */
  private static byte[] answer(int... answer) {
    return body(
        MessageType.REPLY,
        writer -> {
          writer.writeLong(1);
          writer.writeLong(2);
          writer.writeVarint(3);
          writer.writeBoolean(true);
          writer.writeLong(4);
          writer.writeByte(OrderPartCodec.BY_TIME);
          writer.writeLong(5);
          writer.writeVarint(6);
          Arrays.stream(answer).forEach(writer::writeByte);
        });
  }

  /** A Probe of a member in a state. */
  private static byte[] probe(int state) {
    return body(
        MessageType.PROBE,
        writer -> {
          writer.writeLong(1);
          writer.writeByte(state);
          writer.writeVarint(2);
          writer.writeVarint(3);
          writer.writeString("address");
          writer.writeString("name");
          writer.writeBoolean(true);
        });
  }

  /** A Repair with one entry that has a body of this number, without contents. */
  private static byte[] repair(int which) {
    return repair(writer -> writer.writeByte(which));
  }

  /** Of an entry with stamp 5. */
  private static byte[] repairAgain(long firstStamp, int which) {
    return repair(writer -> {
      writer.writeByte(4);
      writer.writeLong(firstStamp);
      writer.writeByte(which);
    });
  }

  private static byte[] repair(Consumer<ByteWriter> which) {
    return body(
        MessageType.REPAIR,
        writer -> {
          writer.writeLong(1);
          writer.writeLong(2);
          writer.writeVarint(1);
          writer.writeLong(3);
          writer.writeVarint(4);
          writer.writeLong(5);
          which.accept(writer);
          writer.writeVarint(0);
        });
  }

  /** A Description with so many hosted services, with names of so many characters. */
  private static byte[] hosted(int services, int chars) {
    return body(
        MessageType.DESCRIPTION,
        writer -> {
          writer.writeLong(1);
          writer.writeString("service");
          writer.writeVarint(0);
          writer.writeVarint(services);
          for (int i = 0; i < services; i++) {
            writer.writeString("x".repeat(chars));
          }
        });
  }

  /** A Want with the varints of one interval set. */
  private static byte[] want(long... intervals) {
    return body(
        MessageType.WANT,
        writer -> {
          writer.writeLong(1);
          writer.writeLong(2);
          writer.writeVarint(1);
          writer.writeLong(3);
          LongStream.of(intervals).forEach(writer::writeVarint);
        });
  }

  static byte[] body(int type, Consumer<ByteWriter> content) {
    ByteWriter writer = new ByteWriter(10_000);
    FrameCodec.begin(writer, 1, 2);
    writer.writeByte(type);
    int start = writer.size();
    content.accept(writer);
    writer.insertVarint(start, writer.size() - start);
    FrameCodec.end(writer);
    return writer.toBytes().toArray();
  }

  private static void damage(byte[] bytes, SplittableRandom random) {
    int at = random.nextInt(FrameCodec.HEADER_BYTES, bytes.length);
    switch (random.nextInt(4)) {
      case 0 -> flip(bytes, 8 * at + random.nextInt(8));
      case 1 -> bytes[at] = (byte) random.nextInt(256);
      case 2 -> bytes[at] = (byte) 0xFF;
      default -> {
        int end = random.nextInt(at, bytes.length) + 1;
        Arrays.fill(bytes, at, end, (byte) random.nextInt(256));
      }
    }
  }

  private static void flip(byte[] bytes, int bit) {
    bytes[bit / 8] ^= (byte) (1 << bit % 8);
  }

  private static void assertRefused(byte[] bytes) {
    assertRefused(bytes, "");
  }

  /** Without the comforts of AssertJ: it is called for every bit. */
  static void assertRefused(byte[] bytes, String reason) {
    try {
      Frames.read(bytes);
    } catch (MalformedException refused) {
      if (!String.valueOf(refused.getMessage()).contains(reason)) {
        fail("not because of \"" + reason + "\"", refused);
      }
      return;
    } catch (RuntimeException other) {
      fail(HexFormat.of().formatHex(bytes), other);
    }
    fail("accepted " + HexFormat.of().formatHex(bytes));
  }

  static void assertFrameOrRefused(byte[] bytes) {
    long allocatedBytes = allocatedByReading(bytes);
    // The first time through any code allocates for the virtual machine itself.
    for (int again = 0; again < 3 && allocatedBytes > allowance(bytes); again++) {
      allocatedBytes = allocatedByReading(bytes);
    }
    if (allocatedBytes > allowance(bytes)) {
      fail(allocatedBytes + " bytes of heap for " + HexFormat.of().formatHex(bytes));
    }
  }

  private static long allowance(byte[] bytes) {
    return HEAP_PER_FRAME + HEAP_PER_BYTE * bytes.length;
  }

  private static long allocatedByReading(byte[] bytes) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    Frame frame;
    try {
      frame = Frames.read(bytes);
    } catch (MalformedException refused) {
      return THREADS.getCurrentThreadAllocatedBytes() - before;
    } catch (RuntimeException other) {
      return fail(HexFormat.of().formatHex(bytes), other);
    }
    final long allocatedBytes = THREADS.getCurrentThreadAllocatedBytes() - before;
    // There is one encoding of each frame: what was accepted is what would have been written.
    if (!Arrays.equals(Frames.write(frame), bytes)) {
      fail("reads as " + frame + ": " + HexFormat.of().formatHex(bytes));
    }
    return allocatedBytes;
  }
}
