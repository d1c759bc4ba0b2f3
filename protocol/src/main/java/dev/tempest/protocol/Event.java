package dev.tempest.protocol;

import dev.tempest.protocol.order.Stand;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Message;
import java.util.List;
import java.util.SortedMap;

/**
 * What happens to a machine. Times are of the machine's own clock: nanoseconds since 1970, never
 * going back.
 */
public sealed interface Event {
  /** When it happens. */
  long nowNanos();

  /** Time has passed. */
  record Tick(long nowNanos) implements Event {}

  /** A message arrived. */
  record Received(long nowNanos, Address from, Message message) implements Event {}

  /**
   * An update arrived that this process has no time or no memory to execute: it is answered if it
   * was executed before, and refused otherwise.
   *
   * @param why what its caller is told
   */
  record Shed(long nowNanos, Address from, Message.Update update, String why) implements Event {}

  /**
   * This process wrote: the change counts from now on, and the others get it.
   *
   * @param change what was written, as the state encodes it
   * @param before the version on which it was executed
   * @param after the version that its execution gave
   */
  record Written(long nowNanos, Bytes change, Version before, Version after) implements Event {}

  /**
   * This process waits until so many replicas have its latest write.
   *
   * @param ticket names the wait; the process gives each number away once
   * @param acks how many, this one included; at least 2
   */
  record AwaitAcks(long nowNanos, long ticket, int acks) implements Event {}

  /** Of what this process does with collections that a group agrees on. */
  sealed interface OfActions extends Event {}

  /**
   * This process has executed an action, which counts if what it touched is as it was; nobody sees
   * it before it does.
   *
   * @param ticket names the action; the process gives each number away once
   * @param stand what it was executed on
   * @param footprint what it touched, as {@link dev.tempest.state.versioned.Footprint} writes it
   * @param change what was written, as the state encodes it; empty for nothing
   * @param after the version that its execution gave
   */
  record Acted(
      long nowNanos, long ticket, Stand stand, Bytes footprint, Bytes change, Version after)
      implements OfActions {}

  /**
   * This process wants to read what counts by now.
   *
   * @param ticket names the read, as that of an action
   */
  record Looks(long nowNanos, long ticket) implements OfActions {}

  /** This process waits no longer, and wants to know what is known by now. */
  record EndWait(long nowNanos, long ticket) implements Event {}

  /**
   * The members are others now.
   *
   * @param view all of them, this one included, and where they are reached
   */
  record ViewChanged(long nowNanos, SortedMap<Long, Address> view) implements Event {}

  /**
   * Members that the view has no more have handed over what they had, and ended: they do not come
   * back with memory.
   */
  record Ended(long nowNanos, List<Long> members) implements Event {
    /** Keeps a copy. */
    public Ended {
      members = List.copyOf(members);
    }
  }

  /**
   * So much is going on in this process from now on.
   *
   * @param requests how many wait or are being answered, from 0 to 1,000,000
   * @param isFull whether its memory is all but full: what others may want is not kept for long
   */
  record Loaded(long nowNanos, int requests, boolean isFull) implements Event {}

  /**
   * This process is about to end: it takes no more updates of front-ends, and gives what it has to
   * others.
   */
  record Leaving(long nowNanos) implements Event {}

  /** The state has more collections than before. */
  record Declared(long nowNanos) implements Event {}
}
