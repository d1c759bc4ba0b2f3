package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Rendezvous;
import dev.tempest.protocol.order.Placement;
import dev.tempest.protocol.order.View;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Read;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.Message.RequestMessage;
import dev.tempest.wire.Message.SeenRead;
import dev.tempest.wire.Message.SeenReply;
import dev.tempest.wire.Message.Update;
import java.util.List;

/**
 * What a replica does without a copy of the state: it has the primary answer what it is asked, and
 * passes the answers on in its own name. Its front-end may know no other server.
 *
 * <p>Not thread-safe: its owner calls it from one thread at a time.
 */
final class Relay {
  private final Placement placement;
  private final View view;
  private final Agreement log;
  private final Askers ofUpdates;
  private final Askers ofReads;

  /** Knows of so many updates who waits, and as many reads. */
  Relay(Placement placement, View view, Agreement log, int requests) {
    this.placement = placement;
    this.view = view;
    this.log = log;
    this.ofUpdates = new Askers(requests);
    this.ofReads = new Askers(requests);
  }

  void take(Address from, RequestMessage message, long nowNanos, List<Effect> effects) {
    switch (message) {
      case Update update -> {
        int asked = update.acks() + update.attempt();
        if (Rendezvous.rank(update.id(), view.self(), view.all()) < asked) {
          ofUpdates.add(update.id(), from, nowNanos);
          if (update.attempt() >= LogRequests.PASSED_ON_ATTEMPT) { // Before, it was told anyway.
            passOn(update.withAcks(1), effects);
          }
        }
      }
      case Read read -> {
        ofReads.add(read.id(), from, nowNanos);
        passOn(read, effects);
      }
      case SeenRead read -> {
        ofReads.add(read.read().id(), from, nowNanos);
        passOn(read, effects);
      }
      case Reply reply -> answered(reply, own(reply), effects);
      case SeenReply(Reply reply, var seen) ->
          answered(reply, new SeenReply(own(reply), seen), effects);
      case Message.Beacon beacon -> {} // So it does not seem to be fast.
      case Message.BeaconAnswer answer -> {}
    }
  }

  private void passOn(Message request, List<Effect> effects) {
    view.send(log.ballot().replica(), request, effects);
  }

  private Reply own(Reply reply) {
    return new Reply(
        reply.service(),
        reply.id(),
        reply.update(),
        placement.self(),
        reply.part(),
        reply.load(),
        reply.answer());
  }

  private void answered(Reply reply, Message own, List<Effect> effects) {
    if (reply.service() != placement.service()) {
      return; // Front-ends count their requests for each service.
    }
    Askers askers = reply.update() ? ofUpdates : ofReads;
    for (Address from : askers.take(reply.id())) {
      effects.add(new Effect.Send(from, own));
    }
  }
}
