package dev.tempest.protocol;

import dev.tempest.protocol.order.Checkpoint;
import dev.tempest.service.Reconciliation;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a replica wants done. */
public sealed interface Effect {
  /** Send a message, with no promise that it arrives. */
  record Send(Address to, Message message) implements Effect {}

  /**
   * Send a message that takes long to make, with no promise that it arrives. It is made of what
   * does not change: elsewhere, while the machine goes on.
   */
  record Make(Address to, Supplier<? extends Message> message) implements Effect {}

  /**
   * Send a message to all other members of the view, by multicast where there is one, with no
   * promise that it arrives.
   */
  record Spread(Message message) implements Effect {}

  /**
   * Store what must not be lost, after all of the effects of this kind before, and send messages
   * then, with no promise that they arrive; what goes to this replica itself does. If that fails,
   * the replica is to be stopped: nobody knows what is stored.
   *
   * @param state to be stored before the records; null for none
   * @param synced whether all is to be on the disk then; else the machine may have it in its memory
   *     only, if it is noticed when that is lost
   */
  record Persist(
      @Nullable Checkpoint state, List<LogMessage.Stored> records, boolean synced, List<Send> after)
      implements Effect {
    /** Keeps copies. */
    public Persist {
      records = List.copyOf(records);
      after = List.copyOf(after);
    }
  }

  /**
   * Tell who waits for it how many replicas of the view have said that they have a write, this one
   * included: as many as it waits for, or fewer once it has ended the wait; 0 if this one has given
   * the write up.
   */
  record Acked(long ticket, int acks) implements Effect {}

  /**
   * Tell who executed an action, or wants to read, how it went.
   *
   * @param why it does not count, or why that is not known; empty if nothing is to be said
   */
  record Decided(long ticket, Decision decision, String why) implements Effect {}

  /** What became of an action. */
  enum Decision {
    /** It counts, and the version of the replica has it; or that can be read. */
    COUNTS,

    /** It does not count: what it touched has changed. It can be executed again. */
    AGAIN,

    /** It does not count. */
    FAILED,

    /** It may count, or come to. */
    UNKNOWN
  }

  /**
   * Tell people: this replica and another one have executed the very same updates and have come to
   * other states. The service is not deterministic; this replica takes the state of the other one.
   *
   * @param collections the collections that differ, by kind and name
   * @param other where the other one is
   */
  record Diverged(List<String> collections, Address other) implements Effect {}

  /**
   * Tell people: an update that all replicas execute came to something else here than at the
   * leader. The service is not deterministic; this replica takes the state of the leader.
   *
   * @param method which update it was
   * @param leader where the leader is
   */
  record OutcomeDiffers(String method, Address leader) implements Effect {}

  /** Tell people what keeps this replica from getting a state. */
  record Hindered(String why) implements Effect {}

  /** Tell who waits until this replica has a state: another part of it has come. */
  record CameOn() implements Effect {}

  /**
   * Tell people: this replica cannot execute what others have executed. It answers no requests, and
   * keeps entries for others, until a state comes that has it, or for good.
   */
  record Suspended(String why) implements Effect {}

  /**
   * End this replica, and tell people: it is suspended, holds as much as it may of what others have
   * settled, and no state has come. It does not block them, and has nothing that they lack.
   *
   * @param why what it cannot execute
   */
  record GaveUp(String why) implements Effect {}

  /** Tell people: a state has come that has what could not be executed here; it answers again. */
  record Resumed() implements Effect {}

  /**
   * Tell people: the clock of this process is far from those of the other replicas, and updates
   * count by theirs.
   *
   * @param aheadMillis by how much they are ahead, or behind if it is negative
   */
  record ClockSet(long aheadMillis) implements Effect {}

  /**
   * Tell people: this replica is far ahead of most others and cannot go back. It takes no writes
   * until their time has come to where it is.
   *
   * @param millis by how much it is ahead
   */
  record FarAhead(long millis) implements Effect {}

  /** Tell the service that gossip has changed its past. */
  record Reconciled(Reconciliation what) implements Effect {}
}
