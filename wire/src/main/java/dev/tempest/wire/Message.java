package dev.tempest.wire;

import dev.tempest.values.encoding.Bytes;
import java.util.List;

/** Everything that front-ends, servers and tools say to each other. */
public sealed interface Message {

  /** Between a front-end and the replicas of one service. */
  sealed interface RequestMessage extends Message {
    /** The stable hash of the service's name. */
    long service();
  }

  /**
   * Asks all replicas to execute an update.
   *
   * @param part what the order of the service wants to know
   * @param call what to execute
   * @param attempt 0 for the first sending; each further one asks one more replica to reply
   * @param acks how many replicas reply to the first attempt, from 1
   * @param answeredBelow the client has the answers to all its updates with lower sequences
   */
  record Update(
      long service,
      RequestId id,
      OrderPart part,
      Call call,
      int attempt,
      int acks,
      long answeredBelow)
      implements RequestMessage {
    /** The same, asked for once more. */
    public Update again() {
      return new Update(service, id, part, call, attempt + 1, acks, answeredBelow);
    }

    /** The same with so many replicas that reply to the first attempt. */
    public Update withAcks(int replying) {
      return new Update(service, id, part, call, attempt, replying, answeredBelow);
    }
  }

  /** Asks one replica to execute a read. */
  record Read(long service, RequestId id, Call call) implements RequestMessage {}

  /**
   * Answers an update or a read.
   *
   * @param update whether {@code id} names an update or a read
   * @param replica who answers
   * @param part what the order of the service says
   * @param load how many requests wait at the replica's process or are being answered there, from 0
   */
  record Reply(
      long service,
      RequestId id,
      boolean update,
      long replica,
      OrderPart part,
      int load,
      Answer answer)
      implements RequestMessage {}

  /**
   * Asks all replicas to answer at once, so that the asker sees who is fast now.
   *
   * @param id the front-end, and which of its beacons for this service, counted from 1
   */
  record Beacon(long service, RequestId id) implements RequestMessage {}

  /**
   * Answers a beacon; only replicas that serve do.
   *
   * @param id of the beacon
   * @param replica who answers
   * @param load as in {@link Reply}
   * @param upMillis it has been there for so long, at least
   */
  record BeaconAnswer(long service, RequestId id, long replica, int load, long upMillis)
      implements RequestMessage {}

  /**
   * Asks one replica to execute a read once it has executed all that the client has seen.
   *
   * @param seen at least that
   */
  record SeenRead(Read read, Seen seen) implements RequestMessage {
    @Override
    public long service() {
      return read.service();
    }
  }

  /**
   * Answers a {@link SeenRead}.
   *
   * @param seen all that the replica had executed, and so all that the read may have seen
   */
  record SeenReply(Reply reply, Seen seen) implements RequestMessage {
    @Override
    public long service() {
      return reply.service();
    }
  }

  /** Between the replicas of one service: anti-entropy and joining. */
  sealed interface ReplicaMessage extends Message {
    /** The stable hash of the service's name. */
    long service();

    /** The replica that speaks. */
    long replica();
  }

  /**
   * First of a gossip round: what the sender has, in few bytes whatever the length of history.
   *
   * @param settled everything that is folded away at the sender
   * @param closed everything up to the last epoch that the sender has closed; covers {@code
   *     settled}
   * @param stateHash of the contents that {@code settled} has led to, whatever their history
   * @param openThrough the last epoch that {@code open} speaks of; at least {@code closed}'s
   * @param open the epochs after the closed ones up to {@code openThrough} that have entries,
   *     ascending
   */
  record Digest(
      long service,
      long replica,
      Prefix settled,
      Prefix closed,
      long stateHash,
      long openThrough,
      List<EpochSummary> open)
      implements ReplicaMessage {}

  /**
   * To a replica that has settled the same and whose state is another: in which collections.
   *
   * @param settled what has led to the state
   * @param collections all that are not empty, at most 4,096
   */
  record StateSummary(
      long service, long replica, Prefix settled, List<CollectionSummary> collections)
      implements ReplicaMessage {}

  /**
   * Second: where the digest differs, the ids that the answering replica has.
   *
   * @param ranges ascending, no two with an epoch in common
   */
  record Have(long service, long replica, List<RangeIds> ranges) implements ReplicaMessage {}

  /** Third: ids that the sender lacks and the receiver has. */
  record Want(long service, long replica, List<ClientIds> ids) implements ReplicaMessage {}

  /** Third and last: entries that the receiver lacks, asked for or just written. */
  record Repair(long service, long replica, List<Entry> entries) implements ReplicaMessage {}

  /**
   * Asks which of these the receiver has. It says so at once, and of the others when it gets them.
   *
   * @param ids what the sender wrote, and waits for others to have
   */
  record AckRequest(long service, long replica, ClientIds ids) implements ReplicaMessage {}

  /**
   * Answers an {@link AckRequest}.
   *
   * @param ids those that the sender has
   */
  record Ack(long service, long replica, ClientIds ids) implements ReplicaMessage {}

  /** A replica without state, or one that lacks what another has settled, asks what that is. */
  record StateRequest(long service, long replica) implements ReplicaMessage {}

  /**
   * The replica asked does not serve itself.
   *
   * @param held what it begins with if nobody has more: that of its checkpoint, or nothing
   */
  record StateUnavailable(long service, long replica, Prefix held) implements ReplicaMessage {}

  /** What a replica has settled, and how it came to it; pieces of it can be had. */
  record StateOffer(long service, long replica, Prefix settled, Past past, Kept kept)
      implements ReplicaMessage {}

  /**
   * Asks for a piece of a state. Whoever has settled the same can give it.
   *
   * @param settled what the state consists of
   */
  record PieceRequest(long service, long replica, Prefix settled, Wish wish)
      implements ReplicaMessage {}

  /**
   * A piece of a state.
   *
   * @param settled what the giver has settled: as much as asked for, maybe through a later epoch
   */
  record StatePiece(long service, long replica, Prefix settled, Piece piece)
      implements ReplicaMessage {}

  /**
   * A replica has state and cannot give a piece of it.
   *
   * @param reason why, for people; cut to 1,024 characters
   */
  record PieceUnavailable(long service, long replica, String reason) implements ReplicaMessage {
    /** Cuts the reason. */
    public PieceUnavailable {
      reason = Fields.cut(reason);
    }
  }

  /** What a replica says whose order is by consensus. */
  record OfLog(long service, long replica, LogMessage said) implements ReplicaMessage {}

  /** Between the processes of one cluster: who is there. */
  sealed interface MemberMessage extends Message {}

  /**
   * Asks members for a {@link Roster}.
   *
   * @param prober who asks; it has not found a cluster yet
   * @param announced whether it goes to everybody: then some answer, and not all of very many
   */
  record Probe(MemberRecord prober, boolean announced) implements MemberMessage {}

  /**
   * What a member knows of the others, or a part of it.
   *
   * @param sender the member that speaks
   * @param others what it knows of others, at most 1,024
   * @param heartbeats of yet others, which the receiver probably knows: present, and how far; at
   *     most 1,024
   */
  record Roster(MemberRecord sender, List<MemberRecord> others, List<Heartbeat> heartbeats)
      implements MemberMessage {}

  /** Asks a member what it hosts. */
  record HostingRequest() implements MemberMessage {}

  /**
   * What a member hosts.
   *
   * @param member who hosts it
   * @param revision which of the member's lists it is, {@link MemberRecord#hosting}
   * @param services the stable hashes of their names, at most 1,024
   */
  record Hosting(long member, long revision, List<Long> services) implements MemberMessage {}

  /** Between any two endpoints: whether the one is where it says. */
  sealed interface AddressMessage extends Message {}

  /**
   * Asks whoever is at an address to prove it, by an {@link AddressProof} that says the same.
   *
   * @param address where this is sent, at most 18 bytes that only the sender reads
   */
  record AddressChallenge(Bytes address, long token) implements AddressMessage {}

  /** Returns what an {@link AddressChallenge} said. */
  record AddressProof(Bytes address, long token) implements AddressMessage {}

  /** Between tools and servers. */
  sealed interface ToolMessage extends Message {}

  /** Asks a server for its status; {@code token} comes back in the answer. */
  record StatusRequest(long token) implements ToolMessage {}

  /**
   * How a process is.
   *
   * @param startedMillis when it started, by its own clock
   * @param nowMillis what its clock shows
   * @param services what it hosts
   * @param members whom it knows to be members, itself first; none before it is one
   * @param collections of all that it hosts
   * @param dropped what it did not take or not send
   */
  record Status(
      long token,
      long server,
      String name,
      long startedMillis,
      long nowMillis,
      List<ServiceStatus> services,
      Part<MemberStatus> members,
      Part<CollectionStatus> collections,
      List<Dropped> dropped)
      implements ToolMessage {}

  /** Asks a server to describe a service by name; {@code token} comes back in the answer. */
  record DescribeRequest(long token, String service) implements ToolMessage {}

  /**
   * Asks a server for a piece of the contents of a service; {@code token} comes back in the answer.
   *
   * @param reading 64 random bits: all pieces of one reading are of one moment
   * @param wish which piece; the state says so
   */
  record ContentsRequest(long token, String service, long reading, Bytes wish)
      implements ToolMessage {}

  /**
   * A piece of the contents of a service.
   *
   * @param executed how many updates are in the contents
   * @param unsettled how many of them have not settled
   * @param piece as the state writes it; none if the server cannot give it
   * @param reason why it cannot, for people; cut to 1,024 characters
   */
  record Contents(long token, long executed, long unsettled, Bytes piece, String reason)
      implements ToolMessage {
    /** Cuts the reason. */
    public Contents {
      reason = Fields.cut(reason);
    }
  }

  /**
   * The methods of a service; none if the server does not host it, then {@code hosted} says what it
   * does host.
   */
  record Description(
      long token, String service, List<MethodDescription> methods, List<String> hosted)
      implements ToolMessage {}

  /**
   * All entries of all epochs up to and including one.
   *
   * @param throughEpoch the last epoch covered
   * @param count how many entries
   * @param hash the sum of their hashes, {@link EpochSummary#hash}
   */
  record Prefix(long throughEpoch, long count, long hash) {}

  /**
   * The entries of one epoch.
   *
   * @param hash the sum, modulo 2^64, of a hash of the id and stamp of each
   */
  record EpochSummary(long epoch, long count, long hash) {}

  /**
   * The contents of one collection.
   *
   * @param collection its kind and name
   * @param known whether the hash says what it holds; false while some of its values wait for code
   *     that the sender lacks
   * @param hash of the contents
   */
  record CollectionSummary(String collection, boolean known, long hash) {}

  /**
   * The ids of the entries of some epochs in a row.
   *
   * @param first the first epoch
   * @param last the last epoch, not before the first
   * @param hash the sum of the entries' hashes, {@link EpochSummary#hash}
   * @param clients the ids, clients ascending; none if there are no entries
   */
  record RangeIds(long first, long last, long hash, List<ClientIds> clients) {}

  /** The sequences of one client. */
  record ClientIds(long client, IntervalSet sequences) {}

  /**
   * One client in the client table.
   *
   * @param applied the sequences of its settled updates
   * @param latest when its latest update counts, as the order of the service counts; not negative
   * @param since all its updates that count from here on are in {@code applied}; not negative
   * @param answeredBelow results below this sequence are not needed any more
   * @param results the answers to its recent settled updates
   */
  record ClientRecord(
      long client,
      IntervalSet applied,
      long latest,
      long since,
      long answeredBelow,
      List<RecordedAnswer> results) {}

  /** The answer to one settled update. */
  record RecordedAnswer(long sequence, Answer answer) {}

  /**
   * One process as somebody knows it. Of two records of one process the one with the higher
   * heartbeat is right; at the same heartbeat the one with the later state.
   *
   * @param id 64 random bits of this incarnation
   * @param heartbeat counts the process's own rounds from 0
   * @param hosting counts the lists of what it hosts; 0 if it never hosted anything
   * @param address where it is reached, as text
   * @param name for people
   */
  record MemberRecord(
      long id, MemberState state, long heartbeat, long hosting, String address, String name) {}

  /**
   * How far the heartbeat of a process has come, if it is present.
   *
   * @param id of the process
   * @param heartbeat as in {@link MemberRecord}
   */
  record Heartbeat(long id, long heartbeat) {}

  /** What became of a process. Each has a number of its own on the wire, not its ordinal. */
  enum MemberState {
    /** It counts; maybe it was not heard of for a while. */
    PRESENT,
    /** It was not heard of for too long, until its heartbeat grows again. */
    EXPELLED,
    /** It said goodbye. */
    LEFT
  }

  /**
   * As much of a list as one answer has room for.
   *
   * @param told the part
   * @param more how many there are besides
   */
  record Part<T>(List<T> told, long more) {}

  /**
   * A member as another one sees it.
   *
   * @param silent whether nothing was heard of it for a while
   */
  record MemberStatus(String address, String name, boolean silent) {}

  /**
   * One collection.
   *
   * @param service which service it belongs to
   * @param collection its kind and name, such as {@code map 'carts'}
   * @param entries how many there are
   * @param sizeBytes what they take when encoded, about; {@link #NOT_KNOWN} if it was not measured
   */
  record CollectionStatus(String service, String collection, long entries, long sizeBytes) {}

  /** What was dropped, of one kind in words, since the process started. */
  record Dropped(String kind, long count) {}

  /** Where a status cannot tell. */
  long NOT_KNOWN = -1;

  /**
   * One service on one server.
   *
   * @param name the name of the service
   * @param active whether it has state and serves
   * @param role what it is among the replicas
   * @param executed entries in the state of this replica
   * @param hash the sum of their hashes: replicas with equal counts and hashes agree
   * @param settledEpoch the last settled epoch
   * @param unsettled entries not settled yet
   * @param late entries that arrived after later ones
   * @param rerun entries executed again because of those
   * @param repaired entries that came by gossip
   * @param reads reads served
   * @param byVotes updates for which this replica voted, and that count as it did
   * @param diverged how often it was found that the same updates have led to another state here
   * @param lagMillis the age of the oldest entry that is not settled, 0 if there is none; {@link
   *     #NOT_KNOWN} without state
   * @param checkpoint of what is on its disk
   */
  record ServiceStatus(
      String name,
      boolean active,
      ReplicaRole role,
      long executed,
      long hash,
      long settledEpoch,
      long unsettled,
      long late,
      long rerun,
      long repaired,
      long reads,
      long byVotes,
      long diverged,
      long lagMillis,
      CheckpointAge checkpoint) {}

  /**
   * One method of a service.
   *
   * @param number its number on the wire
   * @param update whether it is an update or a read
   * @param parameters the declared types, as in {@link Class#getName}
   * @param result the declared return type
   */
  record MethodDescription(
      int number, String name, boolean update, List<String> parameters, String result) {}
}
