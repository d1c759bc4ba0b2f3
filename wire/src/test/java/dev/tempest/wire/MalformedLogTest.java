package dev.tempest.wire;

import static dev.tempest.wire.MalformedFrameTest.assertFrameOrRefused;
import static dev.tempest.wire.MalformedFrameTest.assertRefused;
import static dev.tempest.wire.MalformedFrameTest.body;

import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What replicas whose order is by consensus cannot mean is refused as it is read. */
class MalformedLogTest {
  private static final int MEMBERS_MAX = SlotEntry.Members.COUNT_MAX;

  @Test
  void aBallotThatNobodyCanHaveComeToIsRefused() {
    int[] types = {MessageType.PRE_VOTED, MessageType.PREPARE, MessageType.REJECTED};
    for (int type : types) {
      Frames.read(said(type, writer -> writeBallot(writer, Ballot.NUMBER_MAX)));
      assertRefused(
          said(type, writer -> writeBallot(writer, Ballot.NUMBER_MAX + 1)),
          "no ballot has the number 1152921504606846977");
      assertRefused(said(type, writer -> writeBallot(writer, -1)), "no ballot has the number -1");
    }
    Frames.read(preVote(Ballot.NUMBER_MAX, Ballot.NUMBER_MAX, 0, 0));
    assertRefused(preVote(Ballot.NUMBER_MAX + 1, 1, 0, 0), "no ballot has the number");
    assertRefused(preVote(1, Ballot.NUMBER_MAX + 1, 0, 0), "no ballot has the number");
    assertRefused(preVote(-1, 1, 0, 0), "no ballot has the number -1");
    assertRefused(preVote(1, 1, -1, 0), "a count");
    assertRefused(preVote(1, 1, 3, 4), "a log has a length");
    Frames.read(entry(0, writer -> writeBallot(writer, Ballot.NUMBER_MAX)));
    assertRefused(
        entry(0, writer -> writeBallot(writer, Ballot.NUMBER_MAX + 1)), "no ballot has the number");
    assertRefused(promise(Ballot.NUMBER_MAX, 1, 3, 2, 0), "what was accepted was promised");
    Frames.read(promise(1, 1, 3, 2, 0));
    assertRefused(promise(Ballot.NUMBER_MAX + 1, 1, 3, 2, 0), "no ballot has the number");
  }

  @Test
  void aPromiseOfNoLogIsRefused() {
    Frames.read(promise(1, 1, 3, 2, MEMBERS_MAX));
    Frames.read(promise(1, 2, 2, 2, 0));
    assertRefused(promise(1, 1, 2, 3, 0), "no more committed than it has");
    assertRefused(promise(1, 3, 4, 2, 0), "a log begins with what is committed");
    assertRefused(promise(1, -1, 3, 2, 0), "a count");
    assertRefused(promise(1, 1, -1, 2, 0), "a count");
    assertRefused(promise(1, 1, 3, -1, 0), "a count");
    assertRefused(promise(1, 1, 3, 2, MEMBERS_MAX + 1), "65 exceeds 64");
  }

  @Test
  void aPartThatLiesOutsideOfItsLogIsRefused() {
    Frames.read(sync(1, 0, 3, 2));
    Frames.read(sync(2, 1, 2, 2));
    assertRefused(sync(2, 0, 3, 1), "from what is the same to the whole log");
    assertRefused(sync(1, 0, 2, 3), "from what is the same to the whole log");
    assertRefused(sync(1, 2, 3, 2), "a boolean is 0 or 1");
    assertRefused(sync(-1, 0, 3, 2), "a count");
    assertRefused(sync(1, 0, -1, 2), "a count");
    assertRefused(sync(1, 0, 3, -1), "a count");
  }

  @Test
  void negativeSlotsAreRefused() {
    int[] types = {MessageType.FETCH, MessageType.SYNCED, MessageType.ACCEPTED, MessageType.LENGTH};
    for (int type : types) {
      Frames.read(slot(type, Long.MAX_VALUE));
      assertRefused(slot(type, -1), "a count");
    }
    Frames.read(accept(0, 0));
    assertRefused(accept(-1, 0), "a count");
    assertRefused(accept(0, -1), "a count");
    Frames.read(wish(0, 2));
    assertRefused(wish(-1, 2), "a count");
    assertRefused(wish(0, 0), "no kind of wish: 0");
  }

  @Test
  void membersThatAreNoneAreRefused() {
    Frames.read(entry(1, writer -> writeMembers(writer, 1)));
    Frames.read(entry(1, writer -> writeMembers(writer, MEMBERS_MAX)));
    assertRefused(entry(1, writer -> writeMembers(writer, 0)), "each member is one");
    assertRefused(entry(1, writer -> writeMembers(writer, MEMBERS_MAX + 1)), "65 exceeds 64");
    assertRefused(
        entry(
            1,
            writer -> {
              writer.writeVarint(3);
              writer.writeLong(1);
              writer.writeLong(2);
              writer.writeLong(1);
            }),
        "each member is one");
  }

  @Test
  void whatStandsInNoSlotIsRefused() {
    assertRefused(entry(5, writer -> writer.writeLong(0)), "nothing of number 5 stands in a slot");
    assertRefused(entry(255, writer -> writer.writeLong(0)), "nothing of number 255 stands");
    Frames.read(entry(2, writer -> writer.writeVarint(Long.MAX_VALUE)));
    assertRefused(entry(2, writer -> writer.writeVarint(-1)), "a count");
    Frames.read(proposed(1, 0, 0, 1));
    assertRefused(proposed(0, 0, 0, 1), "sequences start at 1");
    assertRefused(proposed(1, -1, 0, 1), "a count");
    assertRefused(proposed(1, 0, -1, 1), "a count");
    // Elsewhere 4 comes before what was put in again; in a log nothing is.
    assertRefused(proposed(1, 0, 0, 4), "no body has the number 4");
    Frames.read(called(1, 0, 0));
    assertRefused(called(0, 0, 0), "sequences start at 1");
    assertRefused(called(1, -1, 0), "a count");
    assertRefused(called(1, 0, -1), "a count");
  }

  @Test
  void anAttemptThatIsNoneIsRefused() {
    int[] types = {MessageType.FOUND, MessageType.FOUNDED};
    for (int type : types) {
      Frames.read(found(type, 1, MEMBERS_MAX));
      assertRefused(found(type, 0, 1), "start at 1");
      assertRefused(found(type, -1, 1), "start at 1");
      assertRefused(found(type, 1, MEMBERS_MAX + 1), "65 exceeds 64");
    }
    Frames.read(said(MessageType.JOINS, writer -> writer.writeVarint(1)));
    assertRefused(said(MessageType.JOINS, writer -> writer.writeVarint(0)), "start at 1");
  }

  @Test
  void aStateAtNoPlaceOfALogIsRefused() {
    Frames.read(part(1, MEMBERS_MAX, 0, 0, 1));
    assertRefused(part(0, 1, 0, 0, 1), "start at 1");
    assertRefused(part(1, MEMBERS_MAX + 1, 0, 0, 1), "65 exceeds 64");
    assertRefused(part(1, 1, -1, 0, 1), "a stamp is not negative");
    assertRefused(part(1, 1, 0, -1, 1), "a count");
    assertRefused(part(1, 1, 0, 0, 0), "no kind of piece: 0");
  }

  @Test
  void bytesBehindAMessageAreRefused() {
    Frames.read(said(MessageType.LEAVES, writer -> {}));
    assertRefused(
        said(MessageType.LEAVES, writer -> writer.writeByte(0)), "not as long as it says");
  }

  /** The densest entries: what takes the most memory for its bytes, and as many as there may be. */
  @Test
  void manySmallEntriesCostNoMoreThanTheirBytesAllow() {
    List<SlotEntry> entries =
        List.of(
            new SlotEntry.Begun(Ballot.NONE),
            new SlotEntry.Passed(0),
            new SlotEntry.Members(List.of(1L)),
            new SlotEntry.Members(List.of(1L, 2L, 3L)));
    for (SlotEntry entry : entries) {
      List<SlotEntry> many = Collections.nCopies(10_000, entry);
      LogMessage said = new LogMessage.Fetched(Ballot.NONE, 0, many);
      assertFrameOrRefused(Frames.write(new Frame(1, 2, List.of(new Message.OfLog(1, 2, said)))));
    }
  }

  private static byte[] promise(
      long accepted, long start, long length, long committed, int members) {
    return said(
        MessageType.PROMISE,
        writer -> {
          writeBallot(writer, 1);
          writeBallot(writer, accepted);
          writer.writeVarint(start);
          writer.writeVarint(length);
          writer.writeVarint(committed);
          writeMembers(writer, members);
        });
  }

  /** Without entries. */
  private static byte[] sync(long base, int isState, long whole, long from) {
    return said(
        MessageType.SYNC,
        writer -> {
          writeBallot(writer, 1);
          writer.writeVarint(base);
          writer.writeByte(isState);
          writer.writeVarint(whole);
          writer.writeVarint(from);
          writer.writeVarint(0);
        });
  }

  /** Without entries. */
  private static byte[] accept(long from, long committed) {
    return said(
        MessageType.ACCEPT,
        writer -> {
          writeBallot(writer, 1);
          writer.writeVarint(from);
          writer.writeVarint(0);
          writer.writeVarint(committed);
          writer.writeBoolean(true);
        });
  }

  @Test
  void anOfferOfNothingIsRefused() {
    Frames.read(offer(1, 0, 1));
    Frames.read(offer(1, 0, LogMessage.Offer.ACTIONS_MAX));
    assertRefused(offer(0, 0, 1), "sequences start at 1");
    assertRefused(offer(Long.MAX_VALUE, 0, 1), "nobody has executed so many");
    assertRefused(offer(1, -1, 1), "a count");
    assertRefused(offer(1, 0, 0), "an offer has 1 to 1024 actions");
    assertRefused(offer(1, 0, LogMessage.Offer.ACTIONS_MAX + 1), "1025 exceeds 1024");
    Frames.read(certified(1, 0, 0));
    assertRefused(certified(0, 0, 0), "sequences start at 1");
    assertRefused(certified(1, -1, 0), "a count");
    assertRefused(certified(1, 0, 1), "what failed is refused");
    assertRefused(certified(1, 0, -1), "a count");
  }

  private static byte[] offer(long first, long base, int actions) {
    return said(
        MessageType.OFFER,
        writer -> {
          writeBallot(writer, 1);
          writer.writeVarint(first);
          writer.writeVarint(base);
          writer.writeVarint(actions);
          for (int i = 0; i < actions; i++) {
            writer.writeVarint(0);
            writer.writeVarint(0);
            writer.writeBoolean(false);
          }
        });
  }

  /** Nobody executes what is refused. */
  @Test
  void anOfferOfWhatWasRefusedIsRefused() {
    Answer refused = new Answer.Refused(Answer.Reason.OVERLOADED, "full");
    assertRefused(
        said(
            MessageType.OFFER,
            writer -> {
              writeBallot(writer, 1);
              writer.writeVarint(1);
              writer.writeVarint(0);
              writer.writeVarint(1);
              writer.writeVarint(0);
              writer.writeVarint(0);
              writer.writeBoolean(true);
              writer.writeLong(77); // The client.
              writer.writeVarint(1);
              writer.writeLong(0); // The stamp.
              writer.writeVarint(0);
              AnswerCodec.write(writer, refused);
            }),
        "was not executed");
  }

  private static byte[] certified(long first, long through, long failed) {
    return said(
        MessageType.CERTIFIED,
        writer -> {
          writeBallot(writer, 1);
          writer.writeVarint(first);
          writer.writeVarint(through);
          writer.writeVarint(0);
          writer.writeVarint(failed);
          writer.writeVarint(0);
        });
  }

  /** What consists of a ballot, or the number of a question, and a slot or length. */
  private static byte[] slot(int type, long slot) {
    return said(
        type,
        writer -> {
          if (type == MessageType.LENGTH) {
            writer.writeLong(1);
          } else {
            writeBallot(writer, 1);
          }
          writer.writeVarint(slot);
        });
  }

  private static byte[] found(int type, long round, int members) {
    return said(
        type,
        writer -> {
          writer.writeVarint(round);
          writeMembers(writer, members);
        });
  }

  private static byte[] wish(long slot, int kind) {
    return said(
        MessageType.STATE_WISH,
        writer -> {
          writer.writeVarint(slot);
          writer.writeByte(kind);
          writer.writeLong(3);
        });
  }

  /** With a piece without contents. */
  private static byte[] part(long slot, int members, long millis, long executed, int kind) {
    return said(
        MessageType.STATE_PART,
        writer -> {
          writer.writeVarint(slot);
          writeMembers(writer, members);
          writer.writeLong(millis);
          writer.writeVarint(executed);
          writer.writeLong(3);
          writer.writeByte(kind);
          writer.writeVarint(0);
        });
  }

  /** An update with a body of this number, without contents. */
  private static byte[] proposed(long sequence, long millis, long answeredBelow, int body) {
    return entry(
        3,
        writer -> {
          writer.writeLong(3);
          writer.writeVarint(sequence);
          writer.writeVarint(millis);
          writer.writeVarint(answeredBelow);
          writer.writeByte(body);
          writer.writeVarint(0);
        });
  }

  /** A call without arguments that all execute. */
  private static byte[] called(long sequence, long millis, long answeredBelow) {
    return entry(
        4,
        writer -> {
          writer.writeLong(3);
          writer.writeVarint(sequence);
          writer.writeVarint(millis);
          writer.writeVarint(answeredBelow);
          Fields.writeCall(writer, new Call(7, Bytes.EMPTY));
          writer.writeLong(5);
        });
  }

  private static byte[] preVote(long number, long accepted, long length, long committed) {
    return said(
        MessageType.PRE_VOTE,
        writer -> {
          writeBallot(writer, number);
          writeBallot(writer, accepted);
          writer.writeVarint(length);
          writer.writeVarint(committed);
        });
  }

  /** A Fetched with one entry. */
  private static byte[] entry(int kind, Consumer<ByteWriter> content) {
    return said(
        MessageType.FETCHED,
        writer -> {
          writeBallot(writer, 1);
          writer.writeVarint(0);
          writer.writeVarint(1);
          writer.writeByte(kind);
          content.accept(writer);
        });
  }

  private static void writeBallot(ByteWriter writer, long number) {
    writer.writeVarint(number);
    writer.writeLong(3);
  }

  private static void writeMembers(ByteWriter writer, int count) {
    writer.writeVarint(count);
    LongStream.range(0, count).forEach(writer::writeLong);
  }

  private static byte[] said(int type, Consumer<ByteWriter> content) {
    return body(
        type,
        writer -> {
          writer.writeLong(1);
          writer.writeLong(2);
          content.accept(writer);
        });
  }
}
