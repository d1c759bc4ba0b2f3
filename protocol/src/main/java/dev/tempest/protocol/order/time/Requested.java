package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Answers;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Rendezvous;
import dev.tempest.protocol.Stamp;
import dev.tempest.service.ServiceInstance;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Message.Beacon;
import dev.tempest.wire.Message.BeaconAnswer;
import dev.tempest.wire.Message.Read;
import dev.tempest.wire.Message.Reply;
import dev.tempest.wire.Message.RequestMessage;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.RequestId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What front-ends ask of a replica: takes their updates into the window, and answers. */
final class Requested {
  private static final Answer JOINING =
      new Answer.Refused(Reason.JOINING, "this replica has no state yet");

  private final ReplicaSettings settings;
  private final ServiceInstance service;
  private final View view;
  private final Window window;
  private final Agreement agreement;
  private final ReplicaClock clock;
  private long reads;
  private int load;

  Requested(
      ReplicaSettings settings,
      ServiceInstance service,
      View view,
      Window window,
      Agreement agreement,
      ReplicaClock clock) {
    this.settings = settings;
    this.service = service;
    this.view = view;
    this.window = window;
    this.agreement = agreement;
    this.clock = clock;
  }

  long reads() {
    return reads;
  }

  /** So many requests wait at this process or are being answered. */
  void loaded(int requests) {
    load = requests;
  }

  /**
   * Takes a message of a front-end.
   *
   * @param active whether this replica has state
   */
  void take(Address from, RequestMessage message, boolean active, List<Effect> effects) {
    switch (message) {
      case Update update -> update(from, update, active, effects);
      case Read read -> read(from, read, active, effects);
      case Beacon(long called, RequestId id) -> {
        if (active) {
          effects.add(
              new Effect.Send(
                  from, new BeaconAnswer(settings.service(), id, settings.self(), load)));
        }
      }
      case Reply reply -> {} // For front-ends.
      case BeaconAnswer answer -> {} // For front-ends.
    }
  }

  private void update(Address from, Update update, boolean active, List<Effect> effects) {
    Entry entry = update.entry();
    RequestId id = entry.id();
    window.clients().answered(id.client(), update.answeredBelow());
    if (update.attempt() == 0) {
      clock.arrived(entry.stamp());
    }
    boolean duplicate = active && window.contains(id);
    Answer answer = duplicate ? null : active ? refusalOf(entry) : JOINING;
    if (answer == null && !duplicate) {
      answer = window.take(entry);
      agreement.changed(window.epochOf(entry));
    }
    int rank = Rendezvous.rank(id, settings.self(), view.all());
    // A retry is answered by whoever executed the first sending, so that a lost reply costs one
    // round trip.
    if (rank < update.acks() + update.attempt() || (duplicate && update.attempt() > 0)) {
      reply(from, id, true, answer == null ? recorded(id) : answer, effects);
    }
  }

  /** Why a new request is not executed here; null if it is. */
  private @Nullable Answer refusalOf(Entry entry) {
    long epoch = window.epochOf(entry);
    if (epoch <= clock.closedThrough()) {
      return new Answer.Refused(
          Reason.STAMP_EXPIRED, "epoch " + epoch + " is closed through " + clock.closedThrough());
    }
    if (Stamp.millis(entry.stamp()) > clock.nowMillis() + settings.stampAheadMaxMillis()) {
      return new Answer.Refused(
          Reason.STAMP_AHEAD, "more than " + settings.stampAheadMaxMillis() + " ms ahead");
    }
    if (isFull()) {
      return new Answer.Refused(
          Reason.OVERLOADED,
          window.size()
              + " entries, about "
              + window.sizeBytes()
              + " bytes, wait for all replicas to have them");
    }
    return null;
  }

  boolean isFull() {
    return window.size() >= Replica.UNSETTLED_MAX
        || window.sizeBytes() >= settings.unsettledMaxBytes();
  }

  /** What a request that was executed answers now, if late entries changed it. */
  private Answer recorded(RequestId id) {
    Answer unsettled = window.answer(id);
    Answer answer = unsettled != null ? unsettled : window.clients().answer(id);
    return answer != null
        ? answer
        : new Answer.Refused(
            Reason.RESULT_FORGOTTEN, "executed, and the client has said that it has the answer");
  }

  private void read(Address from, Read read, boolean active, List<Effect> effects) {
    reads++;
    Answer answer =
        active
            ? Answers.of(
                service.read(
                    window.version(),
                    read.call().method(),
                    read.call().arguments(),
                    clock.nowMillis()))
            : JOINING;
    reply(from, read.id(), false, answer, effects);
  }

  private void reply(
      Address to, RequestId id, boolean update, Answer answer, List<Effect> effects) {
    effects.add(
        new Effect.Send(
            to,
            new Reply(
                settings.service(), id, update, settings.self(), clock.stamp(), load, answer)));
  }
}
