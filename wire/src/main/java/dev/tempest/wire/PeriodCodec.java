package dev.tempest.wire;

import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.LogMessage.Close;
import dev.tempest.wire.LogMessage.Closed;
import dev.tempest.wire.LogMessage.OfPeriods;
import dev.tempest.wire.LogMessage.Period;
import dev.tempest.wire.LogMessage.Promise;
import dev.tempest.wire.LogMessage.Vote;
import dev.tempest.wire.LogMessage.VotedPromise;
import dev.tempest.wire.LogMessage.VotesBeyond;

/** What is said of the periods of a ballot, and of votes. */
final class PeriodCodec {
  private PeriodCodec() {}

  /** After its ballot. */
  static void write(ByteWriter writer, OfPeriods said) {
    switch (said) {
      case Period(var by, long number, long start, boolean isFast, long inLogs) -> {
        Fields.writeSequence(writer, number);
        Fields.writeCount(writer, start);
        writer.writeBoolean(isFast);
        Fields.writeCount(writer, inLogs);
      }
      case Vote(var by, long period, long end, long hash) -> {
        Fields.writeSequence(writer, period);
        Fields.writeCount(writer, end);
        writer.writeLong(hash);
      }
      case Close close -> Fields.writeSequence(writer, close.period());
      case Closed(var by, long period, VotesBeyond votes) -> {
        Fields.writeSequence(writer, period);
        writeVotes(writer, votes);
      }
      case VotedPromise(Promise promise, VotesBeyond votes) -> {
        LogCodec.writePromise(writer, promise);
        writeVotes(writer, votes);
      }
    }
  }

  static OfPeriods read(int type, ByteReader reader) {
    return switch (type) {
      case MessageType.PERIOD ->
          new Period(
              LogCodec.readBallot(reader),
              Fields.readSequence(reader),
              Fields.readCount(reader),
              reader.readBoolean(),
              Fields.readCount(reader));
      case MessageType.VOTE ->
          new Vote(
              LogCodec.readBallot(reader),
              Fields.readSequence(reader),
              Fields.readCount(reader),
              reader.readLong());
      case MessageType.CLOSE -> new Close(LogCodec.readBallot(reader), Fields.readSequence(reader));
      case MessageType.CLOSED ->
          new Closed(LogCodec.readBallot(reader), Fields.readSequence(reader), readVotes(reader));
      case MessageType.VOTED_PROMISE ->
          new VotedPromise(LogCodec.readPromise(reader), readVotes(reader));
      default -> throw new MalformedException("nothing of a log");
    };
  }

  private static void writeVotes(ByteWriter writer, VotesBeyond votes) {
    Fields.writeCount(writer, votes.from());
    writer.writeLong(votes.hash());
    EntryCodec.writeAllCalled(writer, votes.entries());
  }

  private static VotesBeyond readVotes(ByteReader reader) {
    return new VotesBeyond(
        Fields.readCount(reader), reader.readLong(), EntryCodec.readAllCalled(reader));
  }
}
