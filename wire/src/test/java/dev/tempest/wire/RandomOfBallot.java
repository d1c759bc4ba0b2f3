package dev.tempest.wire;

import java.util.List;
import java.util.random.RandomGenerator;

/** What may be said of the leases and the periods of a ballot. */
final class RandomOfBallot {
  private RandomOfBallot() {}

  static LogMessage next(
      RandomGenerator random,
      Ballot ballot,
      long slot,
      LogMessage.Promise promise,
      List<SlotEntry> entries) {
    long number = 1 + slot / 2;
    List<SlotEntry.Called> called =
        entries.stream()
            .filter(SlotEntry.Called.class::isInstance)
            .map(SlotEntry.Called.class::cast)
            .toList();
    LogMessage.VotesBeyond votes = new LogMessage.VotesBeyond(slot, random.nextLong(), called);
    return switch (random.nextInt(7)) {
      case 0 -> new LogMessage.LeaseWish(ballot, random.nextLong(), random.nextLong());
      case 1 -> new LogMessage.ReadLease(ballot, random.nextLong(), number);
      case 2 -> new LogMessage.Period(ballot, number, number, random.nextBoolean(), slot);
      case 3 -> new LogMessage.Vote(ballot, number, number, random.nextLong());
      case 4 -> new LogMessage.Close(ballot, number);
      case 5 -> new LogMessage.Closed(ballot, number, votes);
      default -> new LogMessage.VotedPromise(promise, votes);
    };
  }
}
