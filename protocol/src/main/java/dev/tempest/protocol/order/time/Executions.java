package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Answers;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Invariant;
import dev.tempest.protocol.Mix;
import dev.tempest.protocol.Rendezvous;
import dev.tempest.protocol.order.Stamp;
import dev.tempest.protocol.order.View;
import dev.tempest.service.execution.Execution;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Answer.Reason;
import dev.tempest.wire.Call;
import dev.tempest.wire.Entry;
import dev.tempest.wire.Executed;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.Message.ClientIds;
import dev.tempest.wire.Message.Update;
import dev.tempest.wire.Message.Want;
import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Executes each update at one replica, where a service asks for that, so that what it wrote
 * travels: at the first in the rendezvous order of its request. On a retry the next ones do, each a
 * moment after the one before it, and only if nobody who is asked has it.
 *
 * <p>Guarantees that an update is not executed here if an execution of it is here, and that its
 * execution sees all earlier updates of its client that were answered, unless nobody here has them.
 * Two replicas that do not hear each other may both execute one: then the window keeps one of the
 * two, the same everywhere.
 */
final class Executions {
  /** For so long a replica lets another one before it in the order execute, or say that it has. */
  static final long TURN_NANOS = 10_000_000;

  /**
   * For so long earlier updates of the client are waited for, which may be large: a client that
   * asks again meanwhile asks others, too, one of which has them. But for no longer than half the
   * time until its stamp is refused.
   */
  private static final long EARLIER_NANOS = 400_000_000;

  /** By then a client that waits has asked again. */
  private static final long FORGOTTEN_NANOS = 1_000_000_000;

  /** So many entries are answered at once when they are asked for: gossip may ask for more. */
  static final int ASKED_MAX = 64;

  /** A client that was asked to wait until its update is here, one way or the other. */
  record Waiting(Address from, Update update, Entry entry, @Nullable Turn turn, long untilNanos) {
    /** Who asks again and again is to hold no place for good. */
    Waiting until(long nanos) {
      return new Waiting(from, update, entry, turn, nanos);
    }
  }

  /**
   * When this replica executes an update itself.
   *
   * @param fromNanos when it need not wait for others in the order any more
   * @param earlier what it lacks of the client's earlier updates
   */
  private record Turn(List<Long> before, long fromNanos, IntervalSet earlier, long latestNanos) {}

  /** A client that can be answered now. */
  record Ready(Address from, RequestId id, @Nullable Answer refusal) {}

  private final ReplicaSettings settings;
  private final ServiceInstance service;
  private final View view;
  private final Window window;
  private final ReplicaClock clock;
  private final Writes writes;
  private final SessionGuarantees guarantees;
  private final Admission admission;
  private final long earlierNanos;
  private final int most;
  private final long number;
  private final ByteWriter writer = new ByteWriter(Executed.WRITES_MAX_BYTES);
  private final LinkedHashMap<RequestId, Waiting> waiting = new LinkedHashMap<>();
  private final List<Ready> ready = new ArrayList<>(0);

  /** Others for whom one turn was waited in vain, and who have said nothing since. */
  private final TreeSet<Long> silent = new TreeSet<>();

  /** By client, below which sequence nobody here has what is lacking here; of as many as wait. */
  private final LinkedHashMap<Long, Long> nowhereBelow = new LinkedHashMap<>();

  private long forgotten;
  private long nextNanos = Long.MAX_VALUE;

  /**
   * @param seed 64 random bits of this incarnation
   */
  Executions(
      ReplicaSettings settings,
      ServiceInstance service,
      View view,
      Window window,
      ReplicaClock clock,
      Writes writes,
      SessionGuarantees guarantees,
      Admission admission,
      long seed) {
    this.settings = settings;
    this.service = service;
    this.view = view;
    this.window = window;
    this.clock = clock;
    this.writes = writes;
    this.guarantees = guarantees;
    this.admission = admission;
    Epochs epochs = settings.timing().epochs();
    long openMillis = (long) epochs.lengthMillis() * epochs.closeAfter();
    this.earlierNanos = Math.min(EARLIER_NANOS, openMillis * 1_000_000 / 2);
    this.most = settings.limits().waits().updates();
    this.number = Mix.mix(seed);
  }

  /**
   * Takes an update that is not here.
   *
   * @param entry its id, its stamp and its call
   * @param rank of this replica in the order of the request
   * @return its answer if it was executed now; null if it will be {@link #ready} or is others'
   */
  @Nullable Answer take(Address from, Update update, Entry entry, int rank, List<Effect> effects) {
    RequestId id = update.id();
    Turn turn = rank <= update.attempt() ? turn(update, rank) : null;
    if (turn != null && turn.fromNanos() <= clock.nowNanos() && turn.earlier().isEmpty()) {
      return execute(update, entry.stamp());
    }
    if (rank < update.acks() + update.attempt()) {
      waitFor(id, new Waiting(from, update, entry, turn, clock.nowNanos() + FORGOTTEN_NANOS));
      askFor(update, turn, effects);
    }
    return null;
  }

  private Turn turn(Update update, int rank) {
    RequestId id = update.id();
    List<Long> before = new ArrayList<>(rank);
    for (long other : view.others()) {
      if (rank > 0 && !silent.contains(other) && Rendezvous.rank(id, other, view.all()) < rank) {
        before.add(other);
      }
    }
    long fromNanos = clock.nowNanos() + before.size() * TURN_NANOS;
    long latestNanos = fromNanos + earlierNanos;
    Waiting asked = waiting.get(id);
    if (asked != null && asked.turn() != null) { // Asking again does not make it later.
      fromNanos = Math.min(fromNanos, asked.turn().fromNanos());
      latestNanos = Math.min(latestNanos, asked.turn().latestNanos());
    }
    return new Turn(before, fromNanos, lackingEarlier(update), latestNanos);
  }

  /** What the client has answers to, and is not here. */
  private IntervalSet lackingEarlier(Update update) {
    long client = update.id().client();
    long from = nowhereBelow.getOrDefault(client, 1L);
    return from < update.answeredBelow()
        ? guarantees.lacking(client, IntervalSet.of(from, update.answeredBelow() - 1))
        : new IntervalSet();
  }

  /** Who was there first comes to an end first: else all would drive each other out for ever. */
  private void waitFor(RequestId id, Waiting asked) {
    if (waiting.size() >= most && !waiting.containsKey(id)) {
      forgotten++; // Its client asks again.
      return;
    }
    Waiting earlier = waiting.get(id);
    Waiting next = earlier == null ? asked : asked.until(earlier.untilNanos());
    waiting.put(id, next);
    nextNanos = Math.min(nextNanos, nextNanos(next));
  }

  private long nextNanos(Waiting asked) {
    Turn turn = asked.turn();
    if (turn == null) {
      return asked.untilNanos();
    }
    return clock.nowNanos() < turn.fromNanos() ? turn.fromNanos() : turn.latestNanos();
  }

  /** Whoever has what is lacking here sends it. */
  private void askFor(Update update, @Nullable Turn turn, List<Effect> effects) {
    IntervalSet lacking = turn == null ? new IntervalSet() : turn.earlier().copy();
    RequestId id = update.id();
    if (update.attempt() > 0) {
      lacking.add(id.sequence());
    }
    if (!lacking.isEmpty() && !view.others().isEmpty()) {
      List<ClientIds> ids = List.of(new ClientIds(id.client(), lacking));
      effects.add(new Effect.Spread(new Want(settings.service(), settings.self(), ids)));
    }
  }

  /** An update has been answered: it waits no more. */
  void drop(RequestId id) {
    if (!waiting.isEmpty()) {
      waiting.remove(id);
    }
  }

  /** Another replica said something. */
  void heard(long replica) {
    if (!silent.isEmpty()) {
      silent.remove(replica);
    }
  }

  /** How many updates it has forgotten since too many waited, for checkers. */
  long forgotten() {
    return forgotten;
  }

  /** Entries have come from another replica, or its state: what waits may be among them. */
  void arrived() {
    if (!waiting.isEmpty()) {
      nextNanos = clock.nowNanos();
    }
  }

  /** Executes what is due, and gives up what is past; the clients that can be answered now. */
  List<Ready> ready(boolean active) {
    if (clock.nowNanos() >= nextNanos) {
      nextNanos = Long.MAX_VALUE;
      for (Iterator<Waiting> all = waiting.values().iterator(); all.hasNext(); ) {
        Waiting asked = all.next();
        if (!active || isDone(asked)) {
          all.remove();
        } else {
          nextNanos = Math.min(nextNanos, nextNanos(asked));
        }
      }
    }
    List<Ready> taken = List.copyOf(ready);
    ready.clear();
    return taken;
  }

  private boolean isDone(Waiting asked) {
    RequestId id = asked.entry().id();
    Turn turn = asked.turn();
    if (window.contains(id)) {
      ready.add(new Ready(asked.from(), id, null));
      return true;
    }
    if (turn == null || !isDue(asked.update(), turn)) {
      return clock.nowNanos() >= asked.untilNanos();
    }
    Answer refusal = admission.refusalOf(asked.entry(), null);
    if (refusal == null) {
      silent.addAll(turn.before());
      Answer answer = execute(asked.update(), asked.entry().stamp());
      refusal = answer instanceof Answer.Refused ? answer : null;
    }
    ready.add(new Ready(asked.from(), id, refusal));
    return true;
  }

  private boolean isDue(Update update, Turn turn) {
    if (clock.nowNanos() < turn.fromNanos()) {
      return false;
    }
    if (lackingEarlier(update).isEmpty()) {
      return true;
    }
    if (clock.nowNanos() < turn.latestNanos()) {
      return false;
    }
    nowhereBelow.put(update.id().client(), update.answeredBelow());
    if (nowhereBelow.size() > most) {
      nowhereBelow.pollFirstEntry();
    }
    return true;
  }

  /** Throws if it does not hold together. */
  void checkInvariants() {
    Invariant.check(ready.isEmpty(), "who can be answered has been");
    Invariant.check(waiting.size() <= most, "no more clients wait than may");
    Invariant.check(nowhereBelow.size() <= most, "no more clients are remembered than may");
    waiting.forEach((id, asked) -> {
      Invariant.check(nextNanos <= nextNanos(asked), "nobody is forgotten who waits for a turn");
      Invariant.check(!window.contains(id), "nobody waits for what is here");
    });
  }

  /** When something is due; {@link Long#MAX_VALUE} if nothing is. */
  long nextTickNanos() {
    return nextNanos;
  }

  /** Executes an update after all that was seen here and by its client. */
  private Answer execute(Update asked, long askedStamp) {
    RequestId id = asked.id();
    Call call = asked.call();
    long stamp = clock.newStampAbove(askedStamp);
    window.begin(window.epochOf(new Entry(id, stamp, call)));
    Version before = window.version();
    String cannot = window.cannot();
    if (cannot != null) {
      return new Answer.Refused(Reason.SUSPENDED, cannot);
    }
    Execution execution =
        service.execute(
            before, call.method(), call.arguments(), Stamp.millis(stamp), Mix.hash(id), writer);
    Answer answer = Answers.of(execution.result());
    if (!(answer instanceof Answer.Refused)) {
      Entry entry = new Entry(id, stamp, new Executed(number, writer.toBytes(), answer));
      window.write(entry, before, execution.after(), asked.answeredBelow());
      if (!view.others().isEmpty()) {
        writes.spread(entry);
      }
    }
    return answer;
  }
}
