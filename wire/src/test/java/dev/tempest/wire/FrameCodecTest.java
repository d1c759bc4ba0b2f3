package dev.tempest.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tempest.values.TooLargeException;
import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FrameCodecTest {
  private static final long CLUSTER = 0xC0C1C2C3C4C5C6C7L;
  private static final long SENDER = -1;

  static LongStream seeds() {
    return Seeds.of(100);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whatIsWrittenIsRead(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomMessages messages = new RandomMessages(random);
    for (int round = 0; round < 50; round++) {
      List<Message> sent = new ArrayList<>();
      for (int more = random.nextInt(5); more > 0; more--) {
        sent.add(messages.next());
      }
      Frame frame = new Frame(random.nextLong(), random.nextLong(), sent);
      assertThat(Frames.read(Frames.write(frame))).isEqualTo(frame);
    }
  }

  @Test
  void everyKindOfMessageIsTried() {
    RandomMessages messages = new RandomMessages(new SplittableRandom(1));
    assertThat(Stream.generate(messages::next).limit(10_000).map(Kinds::of).distinct())
        .containsExactlyInAnyOrderElementsOf(Kinds.all());
  }

  @Test
  void aFrameMayHaveNoMessage() {
    Frame empty = new Frame(CLUSTER, SENDER, List.of());
    byte[] bytes = Frames.write(empty);
    assertThat(bytes).hasSize(FrameCodec.HEADER_BYTES);
    assertThat(Frames.read(bytes)).isEqualTo(empty);
  }

  @Test
  void aFrameOfAStreamHasOneMessage() {
    RandomMessages messages = new RandomMessages(new SplittableRandom(1));
    for (int round = 0; round < 200; round++) {
      Frame one = new Frame(CLUSTER, SENDER, List.of(messages.next()));
      assertThat(readSingle(one)).isEqualTo(one);
      Frame two = new Frame(CLUSTER, SENDER, List.of(messages.next(), messages.next()));
      assertThatExceptionOfType(MalformedException.class)
          .isThrownBy(() -> readSingle(two))
          .withMessageContaining("one message");
    }
    assertThatExceptionOfType(MalformedException.class)
        .isThrownBy(() -> readSingle(new Frame(CLUSTER, SENDER, List.of())));
  }

  private static Frame readSingle(Frame written) {
    byte[] bytes = Frames.write(written);
    return FrameCodec.readSingle(new ByteReader(bytes, 0, bytes.length));
  }

  /** Whoever says so charges nothing for them. */
  @Test
  void whatHasNoListsHasNone() {
    RandomMessages messages = new RandomMessages(new SplittableRandom(1));
    for (int round = 0; round < 2_000; round++) {
      byte[] bytes = Frames.write(new Frame(CLUSTER, SENDER, List.of(messages.next())));
      if (!FrameCodec.hasLists(bytes)) {
        ByteReader reader = new ByteReader(bytes, 0, bytes.length);
        reader.limitElements(0);
        assertThat(FrameCodec.readSingle(reader).messages()).hasSize(1);
      }
    }
  }

  @Test
  void theWriterIsReusedForTheNextFrame() {
    ByteWriter writer = new ByteWriter(1_000);
    for (long sender = 0; sender < 3; sender++) {
      writer.reset();
      FrameCodec.begin(writer, CLUSTER, sender);
      FrameCodec.add(writer, new Message.StatusRequest(sender));
      FrameCodec.end(writer);
      assertThat(FrameCodec.read(writer.toBytes().reader()))
          .isEqualTo(new Frame(CLUSTER, sender, List.of(new Message.StatusRequest(sender))));
    }
  }

  @Test
  void aFrameDoesNotBeginAfterOtherBytes() {
    ByteWriter writer = new ByteWriter(1_000);
    writer.writeByte(0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FrameCodec.begin(writer, CLUSTER, SENDER))
        .withMessageContaining("reset");
  }

  @Test
  void aMessageThatDoesNotFitLeavesTheFrameAsItWas() {
    Message small = new Message.StatusRequest(1);
    Message large = update(new byte[100], 0, 1);
    byte[] expected = Frames.write(new Frame(CLUSTER, SENDER, List.of(small)));
    int whole = Frames.write(new Frame(CLUSTER, SENDER, List.of(small, large))).length;
    for (int limit = expected.length; limit < whole; limit++) {
      ByteWriter writer = new ByteWriter(limit);
      FrameCodec.begin(writer, CLUSTER, SENDER);
      FrameCodec.add(writer, small);
      assertThatExceptionOfType(TooLargeException.class)
          .isThrownBy(() -> FrameCodec.add(writer, large));
      FrameCodec.end(writer);
      assertThat(writer.toBytes().toArray()).isEqualTo(expected);
    }
    ByteWriter enough = new ByteWriter(whole);
    FrameCodec.begin(enough, CLUSTER, SENDER);
    FrameCodec.add(enough, small);
    FrameCodec.add(enough, large);
    assertThat(enough.size()).isEqualTo(whole);
  }

  @Test
  void aMessageThatNoReaderAcceptsIsNotWritten() {
    Call call = new Call(1, Bytes.EMPTY);
    RequestId id = new RequestId(1, 1);
    Message.Prefix none = new Message.Prefix(-1, 0, 0);
    Message.Prefix tenth = new Message.Prefix(10, 0, 0);
    Message.EpochSummary fifth = new Message.EpochSummary(5, 0, 0);
    List<Message> wrong =
        List.of(
            update(new byte[0], -1, 1),
            update(new byte[0], RequestCodec.ATTEMPT_MAX + 1, 1),
            update(new byte[0], 0, 0),
            update(new byte[0], 0, RequestCodec.ACKS_MAX + 1),
            new Message.Update(1, id, OrderPart.NONE, call, 0, 1, -1),
            new Message.Update(1, id, new OrderPart.Stamped(-1), call, 0, 1, 0),
            new Message.Digest(1, 1, new Message.Prefix(-2, 0, 0), none, 0, -1, List.of()),
            new Message.Digest(1, 1, new Message.Prefix(0, -1, 0), tenth, 0, 10, List.of()),
            new Message.Digest(1, 1, tenth, none, 0, 10, List.of()),
            new Message.Digest(1, 1, none, tenth, 0, 9, List.of()),
            new Message.Digest(1, 1, none, tenth, 0, 10, List.of(fifth)),
            new Message.Digest(1, 1, none, none, 0, 10, List.of(fifth, fifth)),
            new Message.Digest(1, 1, none, none, 0, 4, List.of(fifth)),
            new Message.Have(1, 1, List.of(new Message.RangeIds(5, 4, 0, List.of()))),
            new Message.Have(1, 1, List.of(range(4, 5), range(5, 6))),
            new Message.Have(
                1, 1, List.of(new Message.RangeIds(1, 1, 0, List.of(client(2), client(1))))),
            new Message.StatePiece(
                1,
                1,
                none,
                new Piece.OfEntries(
                    Wish.OfEntries.ALL,
                    List.of(new Entry(id, 2, call), new Entry(id, 1, call)),
                    true)),
            new Message.Probe(
                new Message.MemberRecord(1, Message.MemberState.PRESENT, -1, 0, "a", "b"), true),
            new Message.Roster(
                new Message.MemberRecord(1, Message.MemberState.PRESENT, 1, 0, "a", "b"),
                Collections.nCopies(
                    MemberCodec.RECORDS_MAX + 1,
                    new Message.MemberRecord(2, Message.MemberState.LEFT, 1, 0, "c", "d")),
                List.of()),
            offer(new Past(List.of(tenth, none), List.of()), Kept.NONE),
            offer(
                new Past(List.of(), List.of(new Past.Ancestor(2, 9), new Past.Ancestor(2, 10))),
                Kept.NONE),
            offer(Past.NONE, new Kept(1, List.of(new Kept.Absence(2, 0), new Kept.Absence(2, 1)))),
            new Message.DescribeRequest(1, "x".repeat(Fields.TEXT_CHARS_MAX + 1)));
    wrong.forEach(FrameCodecTest::assertNotWritten);
  }

  @Test
  void whatNoReaderAcceptsOfALogIsNotWritten() {
    RequestId id = new RequestId(1, 1);
    Call call = new Call(1, Bytes.EMPTY);
    List<Long> tooMany = LongStream.rangeClosed(0, SlotEntry.Members.COUNT_MAX).boxed().toList();
    List<SlotEntry> entries =
        List.of(
            new SlotEntry.Members(tooMany),
            new SlotEntry.Passed(-1),
            new SlotEntry.Proposed(id, -1, 0, call),
            new SlotEntry.Proposed(id, 0, -1, call),
            new SlotEntry.Called(id, -1, 0, call, 0),
            new SlotEntry.Called(id, 0, -1, call, 0));
    List<LogPoint> points =
        List.of(
            new LogPoint(0, List.of(1L), 0, 0, 0),
            new LogPoint(1, tooMany, 0, 0, 0),
            new LogPoint(1, List.of(1L), -1, 0, 0),
            new LogPoint(1, List.of(1L), 0, -1, 0));
    List<LogMessage> wrong =
        new ArrayList<>(
            List.of(
                new LogMessage.Promise(Ballot.NONE, Ballot.NONE, 0, 0, 0, tooMany),
                new LogMessage.Synced(Ballot.NONE, -1),
                new LogMessage.Accepted(Ballot.NONE, -1),
                new LogMessage.Found(1, tooMany),
                new LogMessage.Founded(1, tooMany)));
    entries.forEach(entry -> wrong.add(new LogMessage.Fetched(Ballot.NONE, 0, List.of(entry))));
    points.forEach(
        point -> wrong.add(new LogMessage.StatePart(point, new Piece.OfVersion(Bytes.EMPTY))));
    wrong.forEach(said -> assertNotWritten(new Message.OfLog(1, 1, said)));
  }

  private static void assertNotWritten(Message message) {
    ByteWriter writer = new ByteWriter(10_000);
    FrameCodec.begin(writer, CLUSTER, SENDER);
    Bytes before = writer.toBytes();
    assertThatIllegalArgumentException()
        .as(message.toString())
        .isThrownBy(() -> FrameCodec.add(writer, message));
    assertThat(writer.toBytes()).isEqualTo(before);
  }

  private static Message offer(Past past, Kept kept) {
    return new Message.StateOffer(1, 1, new Message.Prefix(-1, 0, 0), past, kept);
  }

  @Test
  void detailsForPeopleAreCutToWhatCanBeSent() {
    String pair = "\uD83D\uDED2";
    String longer = "x".repeat(Fields.TEXT_CHARS_MAX - 1) + pair;
    String fits = "x".repeat(Fields.TEXT_CHARS_MAX - 2) + pair;
    assertThat(new Answer.Threw(longer, fits + "y"))
        .isEqualTo(new Answer.Threw("x".repeat(Fields.TEXT_CHARS_MAX - 1), fits));
    Answer refused = new Answer.Refused(Answer.Reason.JOINING, "é".repeat(5_000));
    Message reply = new Message.Reply(1, new RequestId(1, 1), true, 1, OrderPart.NONE, 0, refused);
    Frame frame = new Frame(CLUSTER, SENDER, List.of(reply));
    assertThat(Frames.read(Frames.write(frame))).isEqualTo(frame);
  }

  @Test
  void theSmallestRequestsAreSmall() {
    Message.Update update = update(new byte[64], 0, 1);
    Message reply =
        new Message.Reply(
            1, update.id(), true, 1, update.part(), 0, new Answer.Returned(Bytes.EMPTY));
    assertThat(Frames.write(new Frame(1, 1, List.of(update)))).hasSize(24 + 2 + 98);
    assertThat(Frames.write(new Frame(1, 1, List.of(reply)))).hasSize(24 + 2 + 38);
  }

  private static Message.Update update(byte[] arguments, int attempt, int acks) {
    Call call = new Call(10, Bytes.of(arguments));
    return new Message.Update(
        11, new RequestId(7, 8), new OrderPart.Stamped(9), call, attempt, acks, 5);
  }

  private static Message.RangeIds range(long first, long last) {
    return new Message.RangeIds(first, last, 0, List.of());
  }

  private static Message.ClientIds client(long client) {
    return new Message.ClientIds(client, IntervalSet.of(1, 2));
  }
}
