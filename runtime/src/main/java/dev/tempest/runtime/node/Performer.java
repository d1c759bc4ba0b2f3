package dev.tempest.runtime.node;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.wire.Message;
import java.util.List;
import java.util.function.Supplier;

/** Does what the replicas of a process want done. Owned by the event loop. */
final class Performer {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final MonotonicClock clock;
  private final ReplicaSender sender;
  private final MessageMaker maker;
  private final Supplier<String> absent;

  /** Says with {@code absent} which of the listed members are not there. */
  Performer(
      MonotonicClock clock, ReplicaSender sender, MessageMaker maker, Supplier<String> absent) {
    this.clock = clock;
    this.sender = sender;
    this.maker = maker;
    this.absent = absent;
  }

  void perform(Hosted replica, List<Effect> effects) {
    for (Effect effect : effects) {
      switch (effect) {
        case Effect.Send(Address to, Message message) -> sender.send(to, message);
        case Effect.Make(Address to, var message) -> maker.make((PeerAddress) to, replica, message);
        case Effect.Spread(Message message) -> sender.spread(replica.view(), message);
        case Effect.Persist persist -> replica.persist(persist);
        case Effect.Hindered(String why) ->
            replica.hindered(replica.isOfListed() ? why + absent.get() : why, clock.nowNanos());
        case Effect.CameOn cameOn -> replica.arrival().cameOn();
        case Effect.Suspended(String why) ->
            sender.spread(replica.view(), replica.suspended(why, clock.nowNanos()));
        case Effect.Resumed resumed -> replica.resumed();
        case Effect.GaveUp(String why) -> replica.gaveUp(why);
        case Effect.Acked acked -> replica.acked(acked);
        case Effect.Decided decided -> replica.decided(decided);
        case Effect.Diverged diverged -> replica.diverged(diverged);
        case Effect.OutcomeDiffers differs -> replica.outcomeDiffers(differs, clock.nowNanos());
        case Effect.ClockSet set -> replica.clockSet(set);
        case Effect.FarAhead ahead -> replica.farAhead(ahead);
        case Effect.Reconciled reconciled ->
            replica.reconciled(reconciled, clock.nowNanos() / NANOS_PER_MILLI);
      }
    }
  }
}
