package dev.tempest.wire;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.LogMessage.Accept;
import dev.tempest.wire.LogMessage.Accepted;
import dev.tempest.wire.LogMessage.Certified;
import dev.tempest.wire.LogMessage.Close;
import dev.tempest.wire.LogMessage.Closed;
import dev.tempest.wire.LogMessage.ComesBack;
import dev.tempest.wire.LogMessage.Fetch;
import dev.tempest.wire.LogMessage.Fetched;
import dev.tempest.wire.LogMessage.Found;
import dev.tempest.wire.LogMessage.Founded;
import dev.tempest.wire.LogMessage.Joins;
import dev.tempest.wire.LogMessage.Lease;
import dev.tempest.wire.LogMessage.LeaseRequest;
import dev.tempest.wire.LogMessage.LeaseWish;
import dev.tempest.wire.LogMessage.Leaves;
import dev.tempest.wire.LogMessage.Length;
import dev.tempest.wire.LogMessage.LengthRequest;
import dev.tempest.wire.LogMessage.Misses;
import dev.tempest.wire.LogMessage.OfPeriods;
import dev.tempest.wire.LogMessage.Offer;
import dev.tempest.wire.LogMessage.Period;
import dev.tempest.wire.LogMessage.PreVote;
import dev.tempest.wire.LogMessage.PreVoted;
import dev.tempest.wire.LogMessage.Prepare;
import dev.tempest.wire.LogMessage.Promise;
import dev.tempest.wire.LogMessage.ReadLease;
import dev.tempest.wire.LogMessage.Rejected;
import dev.tempest.wire.LogMessage.StatePart;
import dev.tempest.wire.LogMessage.StateWish;
import dev.tempest.wire.LogMessage.Stores;
import dev.tempest.wire.LogMessage.Sync;
import dev.tempest.wire.LogMessage.Synced;
import dev.tempest.wire.LogMessage.Tell;
import dev.tempest.wire.LogMessage.Told;
import dev.tempest.wire.LogMessage.Vote;
import dev.tempest.wire.LogMessage.VotedPromise;
import dev.tempest.wire.LogMessage.Welcome;
import dev.tempest.wire.Message.OfLog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the replicas of one service say to each other whose order is by consensus. */
final class LogCodec {
  private LogCodec() {}

  static int type(LogMessage message) {
    return switch (message) {
      case PreVote preVote -> MessageType.PRE_VOTE;
      case PreVoted preVoted -> MessageType.PRE_VOTED;
      case Prepare prepare -> MessageType.PREPARE;
      case Promise promise -> MessageType.PROMISE;
      case Rejected rejected -> MessageType.REJECTED;
      case Fetch fetch -> MessageType.FETCH;
      case Fetched fetched -> MessageType.FETCHED;
      case Sync sync -> MessageType.SYNC;
      case Synced synced -> MessageType.SYNCED;
      case Accept accept -> MessageType.ACCEPT;
      case Accepted accepted -> MessageType.ACCEPTED;
      case Found found -> MessageType.FOUND;
      case Joins joins -> MessageType.JOINS;
      case Founded founded -> MessageType.FOUNDED;
      case Leaves leaves -> MessageType.LEAVES;
      case LengthRequest request -> MessageType.LENGTH_REQUEST;
      case Length length -> MessageType.LENGTH;
      case StateWish wish -> MessageType.STATE_WISH;
      case StatePart part -> MessageType.STATE_PART;
      case Offer offer -> MessageType.OFFER;
      case Certified certified -> MessageType.CERTIFIED;
      case LeaseRequest request -> MessageType.LEASE_REQUEST;
      case Lease lease -> MessageType.LEASE;
      case LeaseWish wish -> MessageType.LEASE_WISH;
      case ReadLease lease -> MessageType.READ_LEASE;
      case ComesBack back -> MessageType.COMES_BACK;
      case Welcome welcome -> MessageType.WELCOME;
      case Stores stores -> MessageType.STORES;
      case Misses misses -> MessageType.MISSES;
      case Tell tell -> MessageType.TELL;
      case Told told -> MessageType.TOLD;
      case Period period -> MessageType.PERIOD;
      case Vote vote -> MessageType.VOTE;
      case Close close -> MessageType.CLOSE;
      case Closed closed -> MessageType.CLOSED;
      case VotedPromise promise -> MessageType.VOTED_PROMISE;
    };
  }

  static void write(ByteWriter writer, LogMessage message) {
    if (message instanceof LogMessage.OfBallot said) {
      writeBallot(writer, said.ballot());
    }
    switch (message) {
      case PreVote preVote -> {
        writeBallot(writer, preVote.accepted());
        Fields.writeCount(writer, preVote.length());
        Fields.writeCount(writer, preVote.committed());
      }
      case PreVoted preVoted -> {}
      case Prepare prepare -> {}
      case Stores stores -> {}
      case Rejected rejected -> {}
      case Leaves leaves -> {}
      case Misses misses -> {}
      case Promise promise -> writePromise(writer, promise);
      case Fetch fetch -> Fields.writeCount(writer, fetch.from());
      case Fetched fetched -> EntryCodec.writeEntries(writer, fetched.from(), fetched.entries());
      case Sync sync -> writeSync(writer, sync);
      case Synced synced -> Fields.writeCount(writer, synced.length());
      case Accept accept -> writeAccept(writer, accept);
      case Accepted accepted -> Fields.writeCount(writer, accepted.length());
      case Found(long round, List<Long> members) -> writeRound(writer, round, members);
      case Joins(long round) -> Fields.writeSequence(writer, round);
      case Founded(long round, List<Long> members) -> writeRound(writer, round, members);
      case LengthRequest(long number) -> writer.writeLong(number);
      case Length(long number, long length) -> {
        writer.writeLong(number);
        Fields.writeCount(writer, length);
      }
      case StateWish(long slot, Wish wish) -> {
        Fields.writeCount(writer, slot);
        StateCodec.writeWish(writer, wish);
      }
      case StatePart(LogPoint point, Piece piece) -> {
        writePoint(writer, point);
        StateCodec.writePieceItself(writer, piece);
      }
      case Offer offer -> writeOffer(writer, offer);
      case Certified certified -> writeCertified(writer, certified);
      case LeaseRequest request -> writer.writeLong(request.number());
      case Lease lease -> writer.writeLong(lease.number());
      case LeaseWish(var by, long number, long since) -> writeTwo(writer, number, since);
      case ReadLease(var by, long since, long nanos) -> writeTwo(writer, since, nanos);
      case ComesBack(long replica) -> writer.writeLong(replica);
      case Welcome(long process) -> writer.writeLong(process);
      case Tell(Accept accept) -> {
        writeBallot(writer, accept.ballot());
        writeAccept(writer, accept);
      }
      case Told told -> writeTold(writer, told);
      case OfPeriods said -> PeriodCodec.write(writer, said);
    }
  }

  private static void writeTold(ByteWriter writer, Told told) {
    writeBallot(writer, told.accepted().ballot());
    Fields.writeCount(writer, told.accepted().length());
    Fields.writeCount(writer, told.from());
  }

  private static void writeTwo(ByteWriter writer, long first, long second) {
    writer.writeLong(first);
    writer.writeLong(second);
  }

  static OfLog read(int type, ByteReader reader) {
    long service = reader.readLong();
    long replica = reader.readLong();
    try {
      return new OfLog(service, replica, readSaid(type, reader));
    } catch (IllegalArgumentException nonsense) {
      throw new MalformedException(String.valueOf(nonsense.getMessage()));
    }
  }

  private static LogMessage readSaid(int type, ByteReader reader) {
    return switch (type) {
      case MessageType.PRE_VOTE ->
          new PreVote(
              readBallot(reader),
              readBallot(reader),
              Fields.readCount(reader),
              Fields.readCount(reader));
      case MessageType.PRE_VOTED -> new PreVoted(readBallot(reader));
      case MessageType.PREPARE -> new Prepare(readBallot(reader));
      case MessageType.PROMISE -> readPromise(reader);
      case MessageType.REJECTED -> new Rejected(readBallot(reader));
      case MessageType.FETCH -> new Fetch(readBallot(reader), Fields.readCount(reader));
      case MessageType.FETCHED ->
          new Fetched(readBallot(reader), Fields.readCount(reader), EntryCodec.readEntries(reader));
      case MessageType.SYNC -> readSync(reader);
      case MessageType.SYNCED -> new Synced(readBallot(reader), Fields.readCount(reader));
      case MessageType.ACCEPT -> readAccept(reader);
      case MessageType.ACCEPTED -> readAccepted(reader);
      case MessageType.FOUND -> new Found(Fields.readSequence(reader), readMembers(reader));
      case MessageType.JOINS -> new Joins(Fields.readSequence(reader));
      case MessageType.FOUNDED -> new Founded(Fields.readSequence(reader), readMembers(reader));
      case MessageType.LEAVES -> new Leaves();
      case MessageType.LENGTH_REQUEST -> new LengthRequest(reader.readLong());
      case MessageType.LENGTH -> new Length(reader.readLong(), Fields.readCount(reader));
      case MessageType.STATE_WISH ->
          new StateWish(Fields.readCount(reader), StateCodec.readWish(reader));
      case MessageType.STATE_PART ->
          new StatePart(readPoint(reader), StateCodec.readPieceItself(reader));
      case MessageType.OFFER -> readOffer(reader);
      case MessageType.CERTIFIED -> readCertified(reader);
      case MessageType.LEASE_REQUEST -> new LeaseRequest(readBallot(reader), reader.readLong());
      case MessageType.LEASE -> new Lease(readBallot(reader), reader.readLong());
      case MessageType.LEASE_WISH ->
          new LeaseWish(readBallot(reader), reader.readLong(), reader.readLong());
      case MessageType.READ_LEASE ->
          new ReadLease(readBallot(reader), reader.readLong(), reader.readLong());
      case MessageType.COMES_BACK -> new ComesBack(reader.readLong());
      case MessageType.WELCOME -> new Welcome(reader.readLong());
      case MessageType.STORES -> new Stores(readBallot(reader));
      case MessageType.MISSES -> new Misses();
      case MessageType.TELL -> new Tell(readAccept(reader));
      case MessageType.TOLD -> new Told(readAccepted(reader), Fields.readCount(reader));
      default -> PeriodCodec.read(type, reader);
    };
  }

  static void writeBallot(ByteWriter writer, Ballot ballot) {
    writer.writeVarint(ballot.number());
    writer.writeLong(ballot.replica());
  }

  static Ballot readBallot(ByteReader reader) {
    long number = reader.readVarint();
    return new Ballot(number, reader.readLong());
  }

  static void writePromise(ByteWriter writer, Promise promise) {
    writeBallot(writer, promise.accepted());
    Fields.writeCount(writer, promise.start());
    Fields.writeCount(writer, promise.length());
    Fields.writeCount(writer, promise.committed());
    writeMembers(writer, promise.members());
  }

  static Promise readPromise(ByteReader reader) {
    Ballot ballot = readBallot(reader);
    Ballot accepted = readBallot(reader);
    long start = Fields.readCount(reader);
    long length = Fields.readCount(reader);
    return new Promise(
        ballot, accepted, start, length, Fields.readCount(reader), readMembers(reader));
  }

  private static void writeSync(ByteWriter writer, Sync sync) {
    Fields.writeCount(writer, sync.base());
    writer.writeBoolean(sync.isState());
    Fields.writeCount(writer, sync.whole());
    EntryCodec.writeEntries(writer, sync.from(), sync.entries());
  }

  private static Sync readSync(ByteReader reader) {
    Ballot ballot = readBallot(reader);
    long base = Fields.readCount(reader);
    boolean isState = reader.readBoolean();
    long whole = Fields.readCount(reader);
    long from = Fields.readCount(reader);
    return new Sync(ballot, base, isState, whole, from, EntryCodec.readEntries(reader));
  }

  private static void writeAccept(ByteWriter writer, Accept accept) {
    EntryCodec.writeEntries(writer, accept.from(), accept.entries());
    Fields.writeCount(writer, accept.committed());
    writer.writeBoolean(accept.isHeld());
  }

  private static Accept readAccept(ByteReader reader) {
    Ballot ballot = readBallot(reader);
    long from = Fields.readCount(reader);
    List<SlotEntry> entries = EntryCodec.readEntries(reader);
    long committed = Fields.readCount(reader);
    return new Accept(ballot, from, entries, committed, reader.readBoolean());
  }

  private static Accepted readAccepted(ByteReader reader) {
    return new Accepted(readBallot(reader), Fields.readCount(reader));
  }

  private static void writeOffer(ByteWriter writer, Offer offer) {
    writeBallot(writer, offer.ballot());
    Fields.writeSequence(writer, offer.first());
    Fields.writeCount(writer, offer.base());
    Fields.writeShortList(
        writer,
        Offer.ACTIONS_MAX,
        offer.actions(),
        (to, action) -> {
          to.writeBytes(action.footprint());
          to.writeBytes(action.change());
          writeAsked(to, action.asked());
        });
  }

  private static void writeAsked(ByteWriter writer, LogMessage.@Nullable Asked asked) {
    writer.writeBoolean(asked != null);
    if (asked != null) {
      Fields.writeId(writer, asked.id());
      Fields.writeStamp(writer, asked.stamp());
      Fields.writeCount(writer, asked.answeredBelow());
      AnswerCodec.write(writer, asked.answer());
    }
  }

  private static Offer readOffer(ByteReader reader) {
    Ballot ballot = readBallot(reader);
    long first = Fields.readSequence(reader);
    long base = Fields.readCount(reader);
    return new Offer(
        ballot,
        first,
        base,
        Fields.readShortList(
            reader,
            Offer.ACTIONS_MAX,
            from -> new LogMessage.Action(from.readBytes(), from.readBytes(), readAsked(from))));
  }

  private static LogMessage.@Nullable Asked readAsked(ByteReader reader) {
    if (!reader.readBoolean()) {
      return null;
    }
    RequestId id = Fields.readId(reader);
    long stamp = Fields.readStamp(reader);
    long answeredBelow = Fields.readCount(reader);
    Answer answer = AnswerCodec.read(reader);
    if (answer instanceof Answer.Refused) {
      throw new MalformedException("what was refused was not executed: " + answer);
    }
    return new LogMessage.Asked(id, stamp, answeredBelow, answer);
  }

  private static void writeCertified(ByteWriter writer, Certified certified) {
    writeBallot(writer, certified.ballot());
    Fields.writeSequence(writer, certified.first());
    Fields.writeCount(writer, certified.through());
    Fields.writeIntervals(writer, certified.refused());
    Fields.writeCount(writer, certified.failed());
    Fields.writeText(writer, certified.why());
  }

  private static Certified readCertified(ByteReader reader) {
    Ballot ballot = readBallot(reader);
    long first = Fields.readSequence(reader);
    long through = Fields.readCount(reader);
    IntervalSet refused = Fields.readIntervals(reader);
    long failed = Fields.readCount(reader);
    return new Certified(ballot, first, through, refused, failed, Fields.readText(reader));
  }

  private static void writeRound(ByteWriter writer, long round, List<Long> members) {
    Fields.writeSequence(writer, round);
    writeMembers(writer, members);
  }

  private static void writePoint(ByteWriter writer, LogPoint point) {
    Fields.writeSequence(writer, point.slot());
    writeMembers(writer, point.members());
    Fields.writeStamp(writer, point.millis());
    Fields.writeCount(writer, point.executed());
    writer.writeLong(point.hash());
  }

  private static LogPoint readPoint(ByteReader reader) {
    long slot = Fields.readSequence(reader);
    List<Long> members = readMembers(reader);
    long millis = Fields.readStamp(reader);
    long executed = Fields.readCount(reader);
    return new LogPoint(slot, members, millis, executed, reader.readLong());
  }

  static void writeMembers(ByteWriter writer, List<Long> members) {
    Fields.writeShortList(writer, SlotEntry.Members.COUNT_MAX, members, ByteWriter::writeLong);
  }

  static List<Long> readMembers(ByteReader reader) {
    List<Long> members =
        Fields.readShortList(reader, SlotEntry.Members.COUNT_MAX, ByteReader::readLong);
    for (int i = 1; i < members.size(); i++) {
      if (members.subList(0, i).contains(members.get(i))) {
        throw new MalformedException("each member is one: " + members);
      }
    }
    return members;
  }
}
