package dev.tempest.wire;

import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Message.ClientIds;
import dev.tempest.wire.Message.ClientRecord;
import dev.tempest.wire.Message.CollectionSummary;
import dev.tempest.wire.Message.EpochSummary;
import dev.tempest.wire.Message.Heartbeat;
import dev.tempest.wire.Message.MemberRecord;
import dev.tempest.wire.Message.MemberState;
import dev.tempest.wire.Message.MethodDescription;
import dev.tempest.wire.Message.Prefix;
import dev.tempest.wire.Message.RangeIds;
import dev.tempest.wire.Message.RecordedAnswer;
import dev.tempest.wire.Message.ServiceStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Valid messages of all kinds, the edges of every range more often than their share. */
final class RandomMessages {
  private static final String ALPHABET = "az09 \u00e9\u4e2d\0\"";

  private final SplittableRandom random;

  RandomMessages(SplittableRandom random) {
    this.random = random;
  }

  Message next() {
    return switch (random.nextInt(40)) {
      case 0 -> update();
      case 1 -> new Message.Read(random.nextLong(), id(), call());
      case 2 -> reply();
      case 3 -> digest();
      case 4 -> new Message.Have(random.nextLong(), random.nextLong(), ranges());
      case 5 -> new Message.Want(random.nextLong(), random.nextLong(), list(this::clientIds));
      case 6 -> new Message.Repair(random.nextLong(), random.nextLong(), list(this::entry));
      case 7 -> new Message.StateRequest(random.nextLong(), random.nextLong());
      case 8 -> new Message.StateUnavailable(random.nextLong(), random.nextLong(), prefix(-1));
      case 9 ->
          new Message.StateOffer(random.nextLong(), random.nextLong(), prefix(-1), past(), kept());
      case 25 -> new Message.PieceRequest(random.nextLong(), random.nextLong(), prefix(-1), wish());
      case 26 -> new Message.StatePiece(random.nextLong(), random.nextLong(), prefix(-1), piece());
      case 27 -> new Message.PieceUnavailable(random.nextLong(), random.nextLong(), text());
      case 28 -> new Message.ContentsRequest(random.nextLong(), text(), random.nextLong(), bytes());
      case 29 ->
          new Message.Contents(
              random.nextLong(),
              nonNegative(Long.MAX_VALUE),
              nonNegative(Long.MAX_VALUE),
              bytes(),
              text());
      case 10 -> new Message.StatusRequest(random.nextLong());
      case 11 -> status();
      case 14 -> new Message.Probe(member(), random.nextBoolean());
      case 15 -> new Message.Roster(member(), list(this::member), list(this::heartbeat));
      case 16 ->
          new Message.StateSummary(
              random.nextLong(), random.nextLong(), prefix(-1), list(this::contents));
      case 17 -> new Message.Beacon(random.nextLong(), id());
      case 18 -> new Message.BeaconAnswer(stamp(), id(), random.nextLong(), load(), length());
      case 19 -> new Message.SeenRead(new Message.Read(random.nextLong(), id(), call()), seen());
      case 20 -> new Message.SeenReply(reply(), seen());
      case 21 -> new Message.HostingRequest();
      case 22 -> new Message.Hosting(random.nextLong(), length(), list(random::nextLong));
      case 23 -> new Message.AckRequest(random.nextLong(), random.nextLong(), clientIds());
      case 24 -> new Message.Ack(random.nextLong(), random.nextLong(), clientIds());
      case 30 -> new Message.AddressChallenge(address(), random.nextLong());
      case 31 -> new Message.AddressProof(address(), random.nextLong());
      // More often than others, because there are many kinds of them.
      case 32, 33, 34, 35, 36, 37, 38, 39 ->
          new Message.OfLog(random.nextLong(), random.nextLong(), said());
      case 12 -> new Message.DescribeRequest(random.nextLong(), text());
      default ->
          new Message.Description(random.nextLong(), text(), list(this::method), list(this::text));
    };
  }

  private LogMessage.PreVote preVote() {
    long committed = length() / 2;
    return new LogMessage.PreVote(ballot(), ballot(), committed + length() / 2, committed);
  }

  private LogMessage said() {
    return switch (random.nextInt(36)) {
      case 0 -> preVote();
      case 1 -> new LogMessage.PreVoted(ballot());
      case 2 -> new LogMessage.Prepare(ballot());
      case 3 -> promise();
      case 4 -> new LogMessage.Rejected(ballot());
      case 5 -> new LogMessage.Fetch(ballot(), length());
      case 6 -> new LogMessage.Fetched(ballot(), length(), list(this::slotEntry));
      case 7 -> sync();
      case 8 -> new LogMessage.Synced(ballot(), length());
      case 9 -> accept();
      case 10 -> new LogMessage.Accepted(ballot(), length());
      case 11 -> new LogMessage.Found(1 + nonNegative(Long.MAX_VALUE - 1), members(0));
      case 12 -> new LogMessage.Joins(1 + nonNegative(Long.MAX_VALUE - 1));
      case 13 -> new LogMessage.Founded(1 + nonNegative(Long.MAX_VALUE - 1), members(0));
      case 14 -> new LogMessage.Leaves();
      case 15 -> new LogMessage.LengthRequest(random.nextLong());
      case 16 -> new LogMessage.Length(random.nextLong(), length());
      case 17 -> new LogMessage.StateWish(length(), wish());
      case 18 -> new LogMessage.StatePart(point(), piece());
      case 19 -> offer();
      case 20 -> new LogMessage.LeaseRequest(ballot(), random.nextLong());
      case 21 -> new LogMessage.Lease(ballot(), random.nextLong());
      case 22 -> new LogMessage.ComesBack(random.nextLong());
      case 23 -> new LogMessage.Welcome(random.nextLong());
      case 24 -> new LogMessage.Stores(ballot());
      case 25 -> new LogMessage.Misses();
      case 26 -> new LogMessage.Tell(accept());
      case 27 -> new LogMessage.Told(new LogMessage.Accepted(ballot(), length()), length());
      case 28, 29, 30, 31, 32, 33, 34 ->
          RandomOfBallot.next(random, ballot(), length(), promise(), list(this::slotEntry));
      default -> certified();
    };
  }

  private LogMessage.Accept accept() {
    boolean isHeld = random.nextBoolean();
    return new LogMessage.Accept(ballot(), length(), list(this::slotEntry), length(), isHeld);
  }

  private LogMessage offer() {
    List<LogMessage.Action> actions = new ArrayList<>(list(this::action));
    actions.add(action());
    return new LogMessage.Offer(ballot(), 1 + length() / 2, length(), actions);
  }

  private LogMessage certified() {
    IntervalSet refused = intervals();
    long failed = refused.isEmpty() ? 0 : refused.last(refused.intervals() - 1);
    return new LogMessage.Certified(ballot(), 1 + length() / 2, length(), refused, failed, text());
  }

  private LogMessage.Action action() {
    boolean isOwn = random.nextBoolean();
    return new LogMessage.Action(bytes(), bytes(), isOwn ? null : asked());
  }

  private LogMessage.Asked asked() {
    return new LogMessage.Asked(id(), stamp(), nonNegative(Long.MAX_VALUE), outcome());
  }

  private Ballot ballot() {
    return new Ballot(nonNegative(Ballot.NUMBER_MAX), random.nextLong());
  }

  private long length() {
    return nonNegative(Long.MAX_VALUE);
  }

  private LogMessage.Promise promise() {
    long length = length();
    long committed = nonNegative(length);
    long start = nonNegative(committed);
    List<Ballot> two = new ArrayList<>(List.of(ballot(), ballot()));
    two.sort(null);
    return new LogMessage.Promise(two.get(1), two.get(0), start, length, committed, members(0));
  }

  private LogMessage sync() {
    List<SlotEntry> entries = list(this::slotEntry);
    long from = nonNegative(Long.MAX_VALUE - entries.size());
    long base = nonNegative(from);
    long whole = from + entries.size() + nonNegative(Long.MAX_VALUE - from - entries.size());
    return new LogMessage.Sync(ballot(), base, random.nextBoolean(), whole, from, entries);
  }

  private LogPoint point() {
    long slot = 1 + nonNegative(Long.MAX_VALUE - 1);
    return new LogPoint(slot, members(0), stamp(), nonNegative(Long.MAX_VALUE), random.nextLong());
  }

  private SlotEntry slotEntry() {
    return switch (random.nextInt(5)) {
      case 0 -> new SlotEntry.Begun(ballot());
      case 1 -> new SlotEntry.Members(members(1));
      case 2 -> new SlotEntry.Passed(stamp());
      case 3 -> new SlotEntry.Proposed(id(), stamp(), nonNegative(Long.MAX_VALUE), body());
      default -> new SlotEntry.Called(id(), stamp(), length(), call(), random.nextLong());
    };
  }

  private List<Long> members(int min) {
    int max = SlotEntry.Members.COUNT_MAX;
    int count = random.nextInt(10) == 0 ? max : random.nextInt(min, 4);
    return random.longs().distinct().limit(count).boxed().toList();
  }

  private Bytes address() {
    byte[] address = new byte[(int) nonNegative(AddressCodec.ADDRESS_BYTES_MAX)];
    random.nextBytes(address);
    return Bytes.of(address);
  }

  IntervalSet intervals() {
    IntervalSet set = new IntervalSet();
    long lowest = 1;
    for (int more = random.nextInt(5); more > 0 && lowest > 0; more--) {
      long first = lowest + nonNegative(Long.MAX_VALUE - lowest);
      long last = first + nonNegative(Long.MAX_VALUE - first);
      set.append(first, last);
      lowest = last + 2;
    }
    return set;
  }

  private Message update() {
    int attempt = (int) nonNegative(RequestCodec.ATTEMPT_MAX);
    int acks = 1 + (int) nonNegative(RequestCodec.ACKS_MAX - 1);
    return new Message.Update(
        random.nextLong(), id(), part(), call(), attempt, acks, nonNegative(Long.MAX_VALUE));
  }

  private Message.Reply reply() {
    return new Message.Reply(
        random.nextLong(), id(), random.nextBoolean(), random.nextLong(), part(), load(), answer());
  }

  private OrderPart part() {
    return switch (random.nextInt(10)) {
      case 0 -> OrderPart.NONE;
      case 1 -> new OrderPart.Logged(stamp(), length());
      case 2 -> new OrderPart.Voted(stamp(), length(), random.nextLong(), 1 + random.nextInt(64));
      default -> new OrderPart.Stamped(stamp());
    };
  }

  private Seen seen() {
    return switch (random.nextInt(10)) {
      case 0 -> Seen.NOTHING;
      case 1 -> new SeenByLog(length());
      default -> seenByTime();
    };
  }

  private Seen seenByTime() {
    List<SeenByTime.OfClient> clients = new ArrayList<>();
    for (long client : new TreeSet<>(list(random::nextLong))) {
      IntervalSet sequences = intervals();
      if (!sequences.isEmpty()) {
        clients.add(new SeenByTime.OfClient(client, stamp(), sequences));
      }
    }
    return new SeenByTime(prefix(-1), stamp(), clients);
  }

  private int load() {
    return (int) nonNegative(RequestCodec.LOAD_MAX);
  }

  private Message digest() {
    Prefix settled = prefix(-1);
    Prefix closed = prefix(settled.throughEpoch());
    long below = closed.throughEpoch();
    List<EpochSummary> open = new ArrayList<>();
    for (int more = random.nextInt(4); more > 0 && below < Long.MAX_VALUE; more--) {
      below += 1 + nonNegative(Long.MAX_VALUE - Math.max(0, below) - 1);
      open.add(new EpochSummary(below, nonNegative(Long.MAX_VALUE), random.nextLong()));
    }
    long through = below + nonNegative(Long.MAX_VALUE - Math.max(0, below));
    return new Message.Digest(
        random.nextLong(), random.nextLong(), settled, closed, random.nextLong(), through, open);
  }

  private CollectionSummary contents() {
    return new CollectionSummary(text(), random.nextBoolean(), random.nextLong());
  }

  private List<RangeIds> ranges() {
    List<RangeIds> ranges = new ArrayList<>();
    long below = -1;
    for (int more = random.nextInt(4); more > 0 && below < Long.MAX_VALUE; more--) {
      long first = below + 1 + nonNegative(Long.MAX_VALUE - Math.max(0, below) - 1);
      long last = first + nonNegative(Long.MAX_VALUE - first);
      List<ClientIds> clients = new ArrayList<>();
      for (long client : new TreeSet<>(list(random::nextLong))) {
        clients.add(new ClientIds(client, intervals()));
      }
      ranges.add(new RangeIds(first, last, random.nextLong(), clients));
      below = last;
    }
    return ranges;
  }

  private Wish wish() {
    return switch (random.nextInt(3)) {
      case 0 -> new Wish.OfVersion(bytes());
      case 1 -> new Wish.OfClients(random.nextLong());
      default -> after();
    };
  }

  private Wish.OfEntries after() {
    return random.nextInt(3) == 0 ? Wish.OfEntries.ALL : new Wish.OfEntries(stamp(), id());
  }

  private Piece piece() {
    return switch (random.nextInt(3)) {
      case 0 -> new Piece.OfVersion(bytes());
      case 1 ->
          new Piece.OfClients(
              nonNegative(Long.MAX_VALUE),
              list(this::client),
              random.nextBoolean() ? 0 : -1 - nonNegative(Long.MAX_VALUE),
              stamp(),
              stamp());
      default ->
          new Piece.OfEntries(
              after(), List.copyOf(new TreeSet<>(list(this::entry))), random.nextBoolean());
    };
  }

  private Past past() {
    List<Past.Ancestor> ancestors =
        random
            .longs(random.nextInt(4))
            .distinct()
            .sorted()
            .mapToObj(replica -> new Past.Ancestor(replica, nonNegative(Long.MAX_VALUE)))
            .toList();
    return new Past(history(), ancestors);
  }

  private Kept kept() {
    List<Kept.Absence> away =
        random
            .longs(random.nextInt(4))
            .distinct()
            .sorted()
            .mapToObj(replica -> new Kept.Absence(replica, nonNegative(Long.MAX_VALUE)))
            .toList();
    return new Kept(nonNegative(Long.MAX_VALUE) - 1, away);
  }

  private List<Prefix> history() {
    List<Prefix> history = new ArrayList<>();
    long below = -1;
    for (int more = random.nextInt(4); more > 0 && below < Long.MAX_VALUE; more--) {
      below += 1 + nonNegative(Long.MAX_VALUE - Math.max(0, below) - 1);
      history.add(new Prefix(below, nonNegative(Long.MAX_VALUE), random.nextLong()));
    }
    return history;
  }

  private ClientRecord client() {
    return new ClientRecord(
        random.nextLong(),
        intervals(),
        stamp(),
        stamp(),
        nonNegative(Long.MAX_VALUE),
        list(() -> new RecordedAnswer(1 + nonNegative(Long.MAX_VALUE - 1), answer())));
  }

  private ClientIds clientIds() {
    return new ClientIds(random.nextLong(), intervals());
  }

  private MemberRecord member() {
    MemberState[] states = MemberState.values();
    return new MemberRecord(
        random.nextLong(),
        states[random.nextInt(states.length)],
        nonNegative(Long.MAX_VALUE),
        nonNegative(Long.MAX_VALUE),
        text(),
        text());
  }

  private Heartbeat heartbeat() {
    return new Heartbeat(random.nextLong(), nonNegative(Long.MAX_VALUE));
  }

  private Message status() {
    return new Message.Status(
        random.nextLong(),
        random.nextLong(),
        text(),
        nonNegative(Long.MAX_VALUE),
        nonNegative(Long.MAX_VALUE),
        list(this::service),
        new Message.Part<>(
            list(() -> new Message.MemberStatus(text(), text(), random.nextBoolean())),
            nonNegative(Long.MAX_VALUE)),
        new Message.Part<>(list(this::collection), nonNegative(Long.MAX_VALUE)),
        list(() -> new Message.Dropped(text(), nonNegative(Long.MAX_VALUE))));
  }

  private Message.CollectionStatus collection() {
    return new Message.CollectionStatus(
        text(), text(), nonNegative(Long.MAX_VALUE), nonNegative(Long.MAX_VALUE) - 1);
  }

  private ServiceStatus service() {
    return new ServiceStatus(
        text(),
        random.nextBoolean(),
        List.of(ReplicaRole.values()).get(random.nextInt(ReplicaRole.values().length)),
        nonNegative(Long.MAX_VALUE),
        random.nextLong(),
        nonNegative(Long.MAX_VALUE) - 1,
        nonNegative(Long.MAX_VALUE),
        nonNegative(Long.MAX_VALUE),
        nonNegative(Long.MAX_VALUE),
        nonNegative(Long.MAX_VALUE),
        nonNegative(Long.MAX_VALUE),
        nonNegative(Long.MAX_VALUE),
        nonNegative(Long.MAX_VALUE),
        nonNegative(Long.MAX_VALUE) - 1,
        new CheckpointAge(nonNegative(Long.MAX_VALUE) - 1, random.nextBoolean()));
  }

  private MethodDescription method() {
    return new MethodDescription(
        random.nextInt(), text(), random.nextBoolean(), list(this::text), text());
  }

  private Prefix prefix(long from) {
    long through = from + nonNegative(Long.MAX_VALUE - Math.max(0, from));
    return new Prefix(through, nonNegative(Long.MAX_VALUE), random.nextLong());
  }

  private RequestId id() {
    return new RequestId(random.nextLong(), 1 + nonNegative(Long.MAX_VALUE - 1));
  }

  private Entry entry() {
    Body body = body();
    Entry entry = new Entry(id(), stamp(), body);
    return random.nextBoolean() ? entry : entry.again(stamp(), body);
  }

  private Body body() {
    return switch (random.nextInt(3)) {
      case 0 -> call();
      case 1 -> new Change(random.nextInt(3), bytes());
      default -> new Executed(random.nextLong(), bytes(), outcome());
    };
  }

  private Call call() {
    return new Call(random.nextInt(), bytes());
  }

  private Answer answer() {
    Answer.Reason[] reasons = Answer.Reason.values();
    return random.nextInt(3) == 0
        ? new Answer.Refused(reasons[random.nextInt(reasons.length)], text())
        : outcome();
  }

  private Answer outcome() {
    return random.nextBoolean() ? new Answer.Returned(bytes()) : new Answer.Threw(text(), text());
  }

  private long stamp() {
    return nonNegative(Long.MAX_VALUE);
  }

  private Bytes bytes() {
    byte[] bytes = new byte[(int) nonNegative(random.nextInt(10) == 0 ? 300 : 20)];
    random.nextBytes(bytes);
    return Bytes.of(bytes);
  }

  private String text() {
    int length = (int) nonNegative(random.nextInt(20) == 0 ? Fields.TEXT_CHARS_MAX : 12);
    return random
        .ints(length, 0, ALPHABET.length())
        .collect(
            StringBuilder::new,
            (text, at) -> text.append(ALPHABET.charAt(at)),
            StringBuilder::append)
        .toString();
  }

  private <T> List<T> list(Supplier<T> element) {
    return Stream.generate(element).limit(random.nextInt(4)).toList();
  }

  /** A number from 0 to {@code max}: an end, a small one, or one of any number of bits. */
  private long nonNegative(long max) {
    long number =
        switch (random.nextInt(8)) {
          case 0 -> 0;
          case 1 -> max;
          case 2, 3, 4 -> random.nextLong(200);
          default -> random.nextLong() >>> random.nextInt(1, 64);
        };
    return Math.min(number, max);
  }
}
