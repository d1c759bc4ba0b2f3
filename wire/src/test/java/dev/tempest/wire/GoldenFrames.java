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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The frames whose bytes are pinned, at least one for each kind of message. */
final class GoldenFrames {
  private static final long CLUSTER = 0xC1C2C3C4C5C6C7C8L;
  private static final long SENDER = 0x5152535455565758L;
  private static final long SERVICE = 0xA1A2A3A4A5A6A7A8L;
  private static final long REPLICA = 0xB1B2B3B4B5B6B7B8L;
  private static final long CLIENT = 0xD1D2D3D4D5D6D7D8L;
  private static final long STAMP = 0x01A1B2C3D4E50007L;
  private static final long HASH = 0xE1E2E3E4E5E6E7E8L;
  private static final long EPOCH = 1_795_000_000L;
  private static final RequestId ID = new RequestId(CLIENT, 300);
  private static final Call CALL = new Call(0x71727374, bytes("args"));
  private static final Entry ENTRY = new Entry(ID, STAMP, CALL);

  private static final Entry CHANGED = new Entry(ID, STAMP + 1, new Change(bytes("writes")));

  private static final Entry EXECUTED =
      new Entry(
          ID, STAMP + 2, new Executed(HASH, bytes("writes"), new Answer.Returned(bytes("ok"))));

  private static final Entry FAILED =
      new Entry(ID, STAMP + 3, new Executed(1, Bytes.EMPTY, new Answer.Threw("no.Reason", "")));

  private static final Ballot BALLOT = new Ballot(300, REPLICA);
  private static final Ballot EARLIER = new Ballot(299, CLIENT);
  private static final long SLOT = 70_000;
  private static final List<Long> MEMBERS = List.of(REPLICA, 7L, CLIENT);

  record Example(String name, Frame frame) {}

  private GoldenFrames() {}

  static List<Example> examples() {
    List<Example> examples = new ArrayList<>();
    examples.add(new Example("no message", new Frame(CLUSTER, SENDER, List.of())));
    add(
        examples,
        "first attempt",
        new Message.Update(SERVICE, ID, new OrderPart.Stamped(STAMP), CALL, 0, 1, 299));
    add(
        examples,
        "third attempt, two replicas to reply, largest sequence",
        new Message.Update(
            SERVICE,
            new RequestId(CLIENT, Long.MAX_VALUE),
            new OrderPart.Stamped(STAMP),
            new Call(-1, Bytes.EMPTY),
            2,
            2,
            0));
    add(
        examples,
        "nothing for its order",
        new Message.Update(SERVICE, ID, OrderPart.NONE, CALL, 0, 1, 299));
    add(examples, "", new Message.Read(SERVICE, ID, CALL));
    addReplies(examples);
    addByLog(examples);
    addSeen(examples);
    add(examples, "", new Message.Beacon(SERVICE, ID));
    add(examples, "", new Message.BeaconAnswer(SERVICE, ID, REPLICA, 200, 3_000));
    addGossip(examples);
    add(examples, "", new Message.StateRequest(SERVICE, REPLICA));
    add(
        examples,
        "a checkpoint",
        new Message.StateUnavailable(SERVICE, REPLICA, new Prefix(EPOCH, 299, HASH)));
    add(examples, "nothing", new Message.StateUnavailable(SERVICE, REPLICA, new Prefix(-1, 0, 0)));
    addTransfers(examples);
    addAgreement(examples);
    addAroundTheLog(examples);
    addMembers(examples);
    addTools(examples);
    examples.add(
        new Example(
            "two messages",
            new Frame(
                CLUSTER,
                SENDER,
                List.of(new Message.StatusRequest(1), new Message.StatusRequest(2)))));
    return examples;
  }

  private static void addReplies(List<Example> examples) {
    add(examples, "returned", reply(true, new Answer.Returned(bytes("ok"))));
    add(
        examples,
        "threw",
        reply(false, new Answer.Threw("java.lang.IllegalStateException", "caf\u00e9")));
    add(
        examples,
        "nothing from its order",
        new Message.Reply(
            SERVICE,
            ID,
            true,
            REPLICA,
            OrderPart.NONE,
            0,
            new Answer.Refused(Answer.Reason.UNKNOWN_SERVICE, "")));
    for (Answer.Reason reason : Answer.Reason.values()) {
      add(examples, "refused, " + reason, reply(true, new Answer.Refused(reason, "")));
    }
  }

  private static void addSeen(List<Example> examples) {
    Message.Read read = new Message.Read(SERVICE, ID, CALL);
    add(examples, "nothing seen", new Message.SeenRead(read, Seen.NOTHING));
    add(examples, "one update seen", new Message.SeenRead(read, SeenByTime.of(ID, STAMP)));
    add(examples, "a log seen", new Message.SeenRead(read, new SeenByLog(300)));
    IntervalSet sequences = IntervalSet.of(1, 1);
    sequences.append(3, 200);
    SeenByTime seen =
        new SeenByTime(
            new Prefix(EPOCH, 1_000_000, HASH),
            STAMP,
            List.of(
                new SeenByTime.OfClient(CLIENT, STAMP, sequences),
                new SeenByTime.OfClient(7, STAMP - 1, IntervalSet.of(1, Long.MAX_VALUE))));
    Message.Reply reply = reply(false, new Answer.Returned(bytes("ok")));
    add(examples, "", new Message.SeenReply(reply, seen));
  }

  private static void addGossip(List<Example> examples) {
    Prefix none = new Prefix(-1, 0, 0);
    add(
        examples,
        "nothing yet",
        new Message.Digest(SERVICE, REPLICA, none, none, 0, -1, List.of()));
    add(
        examples,
        "",
        new Message.Digest(
            SERVICE,
            REPLICA,
            new Prefix(EPOCH, 1_000_000, HASH),
            new Prefix(EPOCH + 5, 1_000_200, -HASH),
            ~HASH,
            EPOCH + 9,
            List.of(new EpochSummary(EPOCH + 6, 1, HASH), new EpochSummary(EPOCH + 8, 128, -1))));
    IntervalSet sequences = IntervalSet.of(1, 1);
    sequences.append(3, 200);
    sequences.append(500, 500);
    add(
        examples,
        "",
        new Message.Have(
            SERVICE,
            REPLICA,
            List.of(
                new RangeIds(
                    EPOCH + 1,
                    EPOCH + 5,
                    HASH,
                    List.of(
                        new ClientIds(CLIENT, sequences),
                        new ClientIds(7, IntervalSet.of(1, Long.MAX_VALUE)))),
                new RangeIds(EPOCH + 6, EPOCH + 6, 0, List.of()))));
    add(
        examples,
        "",
        new Message.Want(SERVICE, REPLICA, List.of(new ClientIds(CLIENT, IntervalSet.of(4, 6)))));
    add(
        examples,
        "",
        new Message.StateSummary(
            SERVICE,
            REPLICA,
            new Prefix(EPOCH, 1_000_000, HASH),
            List.of(
                new CollectionSummary("map 'carts'", true, ~HASH),
                new CollectionSummary("counter 'sold'", false, 1))));
    addRepairs(examples);
    add(examples, "", new Message.AckRequest(SERVICE, REPLICA, new ClientIds(CLIENT, sequences)));
    add(
        examples,
        "",
        new Message.Ack(SERVICE, REPLICA, new ClientIds(CLIENT, IntervalSet.of(3, 200))));
  }

  private static void addRepairs(List<Example> examples) {
    add(examples, "", new Message.Repair(SERVICE, REPLICA, List.of(ENTRY, CHANGED)));
    add(
        examples,
        "executed elsewhere",
        new Message.Repair(SERVICE, REPLICA, List.of(EXECUTED, FAILED)));
    add(
        examples,
        "put in again",
        new Message.Repair(SERVICE, REPLICA, List.of(CHANGED.again(STAMP + 500, CALL))));
  }

  private static void addTransfers(List<Example> examples) {
    Prefix settled = new Prefix(EPOCH, 299, HASH);
    add(
        examples,
        "",
        new Message.StateOffer(
            SERVICE,
            REPLICA,
            settled,
            new Past(
                List.of(new Prefix(EPOCH - 9, 1, -HASH), new Prefix(EPOCH - 1, 298, 1)),
                List.of(new Past.Ancestor(REPLICA, EPOCH - 9))),
            new Kept(EPOCH - 5, List.of(new Kept.Absence(REPLICA, 300)))));
    Wish.OfEntries after = new Wish.OfEntries(STAMP, ID);
    List<Wish> wishes = List.of(new Wish.OfVersion(bytes("wish")), new Wish.OfClients(300), after);
    for (Wish wish : wishes) {
      String part = wish.getClass().getSimpleName();
      add(examples, part, new Message.PieceRequest(SERVICE, REPLICA, settled, wish));
    }
    ClientRecord client =
        new ClientRecord(
            CLIENT,
            IntervalSet.of(1, 299),
            STAMP,
            1,
            298,
            List.of(
                new RecordedAnswer(298, new Answer.Returned(Bytes.EMPTY)),
                new RecordedAnswer(299, new Answer.Threw("no.Reason", ""))));
    List<Piece> pieces =
        List.of(
            new Piece.OfVersion(bytes("state")),
            new Piece.OfClients(300, List.of(client), 0, STAMP, 1),
            new Piece.OfEntries(after, List.of(ENTRY, CHANGED), false));
    for (Piece piece : pieces) {
      String part = piece.getClass().getSimpleName();
      add(examples, part, new Message.StatePiece(SERVICE, REPLICA, settled, piece));
    }
    add(examples, "", new Message.PieceUnavailable(SERVICE, REPLICA, "too large"));
  }

  private static void addAgreement(List<Example> examples) {
    addSaid(examples, "", new LogMessage.PreVote(BALLOT, EARLIER, SLOT, SLOT - 1));
    addSaid(examples, "", new LogMessage.PreVoted(BALLOT));
    addSaid(examples, "", new LogMessage.Prepare(BALLOT));
    addSaid(
        examples,
        "nothing accepted",
        new LogMessage.Promise(BALLOT, Ballot.NONE, 0, 0, 0, List.of()));
    addSaid(examples, "", new LogMessage.Promise(BALLOT, EARLIER, 128, SLOT, SLOT - 1, MEMBERS));
    addSaid(examples, "largest", new LogMessage.Rejected(new Ballot(Ballot.NUMBER_MAX, -1)));
    addSaid(examples, "", new LogMessage.Fetch(BALLOT, SLOT));
    List<SlotEntry> entries =
        List.of(
            new SlotEntry.Begun(EARLIER),
            new SlotEntry.Members(MEMBERS),
            new SlotEntry.Passed(1_795_000_000_000L),
            new SlotEntry.Proposed(ID, 1_795_000_000_001L, 299, CALL));
    addSaid(examples, "every kind of entry", new LogMessage.Fetched(BALLOT, SLOT, entries));
    SlotEntry changed = new SlotEntry.Proposed(ID, 1_795_000_000_002L, 0, CHANGED.body());
    addSaid(
        examples, "", new LogMessage.Sync(BALLOT, 128, false, SLOT + 1, SLOT, List.of(changed)));
    addSaid(
        examples,
        "begins with a state",
        new LogMessage.Sync(BALLOT, SLOT, true, SLOT + 300, SLOT, List.of()));
    addSaid(examples, "", new LogMessage.Synced(BALLOT, SLOT));
    SlotEntry executed = new SlotEntry.Proposed(ID, 1_795_000_000_003L, 1, EXECUTED.body());
    var accept = new LogMessage.Accept(BALLOT, SLOT, List.of(executed), SLOT - 1, false);
    addSaid(examples, "", accept);
    addSaid(examples, "", new LogMessage.Tell(accept));
    SlotEntry called = new SlotEntry.Called(ID, 1_795_000_000_004L, 299, CALL, HASH);
    addSaid(
        examples,
        "all execute it",
        new LogMessage.Accept(BALLOT, SLOT, List.of(called), SLOT - 1, true));
    addSaid(
        examples,
        "a sign of life",
        new LogMessage.Accept(BALLOT, SLOT + 1, List.of(), SLOT + 1, true));
    var accepted = new LogMessage.Accepted(BALLOT, SLOT + 1);
    addSaid(examples, "", accepted);
    addSaid(examples, "", new LogMessage.Told(accepted, SLOT));
    addVotes(examples);
  }

  private static void addVotes(List<Example> examples) {
    addSaid(examples, "", new LogMessage.Period(BALLOT, 300, SLOT, true, SLOT - 1));
    addSaid(examples, "", new LogMessage.Vote(BALLOT, 300, SLOT + 1, HASH));
    addSaid(examples, "", new LogMessage.Close(BALLOT, 300));
    SlotEntry.Called called = new SlotEntry.Called(ID, 1_795_000_000_004L, 299, CALL, HASH);
    LogMessage.VotesBeyond votes = new LogMessage.VotesBeyond(SLOT, ~HASH, List.of(called));
    addSaid(examples, "", new LogMessage.Closed(BALLOT, 300, votes));
    var promise = new LogMessage.Promise(BALLOT, EARLIER, 128, SLOT, SLOT - 1, MEMBERS);
    addSaid(examples, "", new LogMessage.VotedPromise(promise, votes));
  }

  private static void addAroundTheLog(List<Example> examples) {
    addSaid(examples, "", new LogMessage.LeaseRequest(BALLOT, 300));
    addSaid(examples, "", new LogMessage.Lease(BALLOT, 300));
    addSaid(examples, "", new LogMessage.LeaseWish(BALLOT, 300, 301));
    addSaid(examples, "", new LogMessage.ReadLease(BALLOT, 301, 302));
    addSaid(examples, "", new LogMessage.ComesBack(HASH));
    addSaid(examples, "", new LogMessage.Welcome(HASH));
    addSaid(examples, "", new LogMessage.Stores(BALLOT));
    addSaid(examples, "", new LogMessage.Misses());
    addSaid(examples, "", new LogMessage.Found(300, MEMBERS));
    addSaid(examples, "", new LogMessage.Joins(300));
    addSaid(examples, "", new LogMessage.Founded(300, MEMBERS));
    addSaid(examples, "", new LogMessage.Leaves());
    addSaid(examples, "", new LogMessage.LengthRequest(HASH));
    addSaid(examples, "", new LogMessage.Length(HASH, SLOT));
    addSaid(examples, "", new LogMessage.StateWish(SLOT, new Wish.OfVersion(bytes("wish"))));
    addSaid(
        examples,
        "",
        new LogMessage.StatePart(
            new LogPoint(SLOT, MEMBERS, 1_795_000_000_000L, 299, HASH),
            new Piece.OfVersion(bytes("state"))));
    LogMessage.Action own = new LogMessage.Action(bytes("touched"), bytes("written"), null);
    LogMessage.Asked update =
        new LogMessage.Asked(ID, STAMP, 290, new Answer.Returned(bytes("result")));
    LogMessage.Action asked = new LogMessage.Action(bytes("read"), bytes("written"), update);
    addSaid(examples, "", new LogMessage.Offer(BALLOT, 300, SLOT, List.of(own, asked)));
    addSaid(
        examples,
        "",
        new LogMessage.Certified(BALLOT, 300, SLOT, IntervalSet.of(301, 302), 302, "no map"));
  }

  private static void addByLog(List<Example> examples) {
    Message.Reply reply =
        new Message.Reply(
            SERVICE,
            ID,
            true,
            REPLICA,
            new OrderPart.Logged(STAMP, SLOT),
            0,
            new Answer.Threw("a.B", "c"));
    add(examples, "of a log", reply);
    OrderPart voted = new OrderPart.Voted(STAMP, SLOT, HASH, 4);
    Answer ok = new Answer.Returned(bytes("ok"));
    add(
        examples,
        "of one who has voted",
        new Message.Reply(SERVICE, ID, true, REPLICA, voted, 0, ok));
    add(examples, "a log seen", new Message.SeenReply(reply, new SeenByLog(SLOT)));
  }

  private static void addMembers(List<Example> examples) {
    MemberRecord member =
        new MemberRecord(REPLICA, MemberState.PRESENT, 300, 2, "10.0.0.1:7500", "east-1");
    add(examples, "", new Message.Probe(member, false));
    add(examples, "announced", new Message.Probe(member, true));
    add(examples, "alone", new Message.Roster(member, List.of(), List.of()));
    List<MemberRecord> others = new ArrayList<>();
    for (MemberState state : MemberState.values()) {
      others.add(new MemberRecord(CLIENT, state, 0, 0, "[::1]:7500", ""));
    }
    add(
        examples,
        "",
        new Message.Roster(
            member, others, List.of(new Heartbeat(7, 1), new Heartbeat(-1, 70_000))));
    add(examples, "", new Message.HostingRequest());
    add(examples, "", new Message.Hosting(REPLICA, 2, List.of(SERVICE, -1L)));
  }

  private static void addTools(List<Example> examples) {
    Bytes address = Bytes.of((byte) 10, (byte) 0, (byte) 0, (byte) 1, (byte) 0x1C, (byte) 0xE8);
    add(examples, "", new Message.AddressChallenge(address, 0x0102030405060708L));
    add(examples, "", new Message.AddressProof(address, 0x0102030405060708L));
    add(examples, "", new Message.ContentsRequest(1, "cart", HASH, bytes("wish")));
    add(examples, "", new Message.Contents(1, 300, 2, bytes("state"), ""));
    add(examples, "", new Message.StatusRequest(0x0102030405060708L));
    add(examples, "", status());
    add(examples, "", new Message.DescribeRequest(1, "cart"));
    add(
        examples,
        "hosted",
        new Message.Description(
            1,
            "cart",
            List.of(
                new MethodDescription(
                    0x71727374, "add", true, List.of("java.lang.String", "int"), "void"),
                new MethodDescription(-1, "size", false, List.of(), "int")),
            List.of()));
    add(
        examples,
        "not hosted",
        new Message.Description(1, "card", List.of(), List.of("cart", "catalogue")));
  }

  private static Message.Status status() {
    return new Message.Status(
        1,
        REPLICA,
        "east-1",
        1_795_000_000_000L,
        1_795_000_060_000L,
        List.of(
            new ServiceStatus(
                "cart",
                true,
                ReplicaRole.PEER,
                28_000,
                HASH,
                EPOCH,
                200,
                3,
                2,
                1,
                9_000,
                7_000,
                300,
                900,
                new CheckpointAge(30_000, true)),
            joining("new", ReplicaRole.FOLLOWER),
            joining("newer", ReplicaRole.LEADER)),
        new Message.Part<>(
            List.of(
                new Message.MemberStatus("10.0.0.1:7400", "east-1", false),
                new Message.MemberStatus("10.0.0.2:7400", "", true)),
            0),
        new Message.Part<>(
            List.of(
                new Message.CollectionStatus("cart", "map 'carts'", 300, 70_000),
                new Message.CollectionStatus("cart", "list 'log'", 7, Message.NOT_KNOWN)),
            12),
        List.of(new Message.Dropped("malformed", 3)));
  }

  private static ServiceStatus joining(String name, ReplicaRole role) {
    return new ServiceStatus(
        name, false, role, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, Message.NOT_KNOWN, CheckpointAge.NONE);
  }

  private static void addSaid(List<Example> examples, String what, LogMessage said) {
    add(examples, what, new Message.OfLog(SERVICE, REPLICA, said));
  }

  private static void add(List<Example> examples, String what, Message message) {
    String name = Kinds.of(message).getSimpleName();
    examples.add(
        new Example(
            what.isEmpty() ? name : name + ", " + what,
            new Frame(CLUSTER, SENDER, List.of(message))));
  }

  private static Message.Reply reply(boolean update, Answer answer) {
    return new Message.Reply(
        SERVICE, ID, update, REPLICA, new OrderPart.Stamped(STAMP), 200, answer);
  }

  private static Bytes bytes(String ascii) {
    return Bytes.of(ascii.getBytes(StandardCharsets.US_ASCII));
  }
}
