package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.Quorum;
import dev.tempest.protocol.order.log.Agreement.Effect;
import dev.tempest.protocol.order.log.Agreement.Event;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.SlotEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.ToLongFunction;

/**
 * A group whose messages arrive only among those whom a test names, and take one unit of time, of
 * which a heartbeat is 20 and an election 100.
 */
final class ByHand {
  static final long HEARTBEAT = 20;
  static final long ELECTION = 100;

  private record Sent(long from, long to, LogMessage.OfBallot message, long arrives) {}

  /** By their ids, from 1. */
  private final List<Consensus> machines = new ArrayList<>();

  private final List<List<SlotEntry>> logs = new ArrayList<>();
  private final List<Sent> sent = new ArrayList<>();
  final List<LogPoint> installed = new ArrayList<>();
  private int messages;
  private BiPredicate<Long, LogMessage> lost = (to, message) -> false;
  private ToLongFunction<LogMessage> travels = message -> 1;
  private final Map<Long, Long> busyUntil = new LinkedHashMap<>();
  private final boolean stores;
  private final Group.Leases leases;

  /** By whose disk answers nothing, what waits for it. */
  private final Map<Long, List<Effect.Vow>> hung = new LinkedHashMap<>();

  private long now;

  /** These begin the group, from 1 on. */
  ByHand(Long... first) {
    this(false, first);
  }

  /** These begin one that stores what binds them, or does not. */
  ByHand(boolean stores, Long... first) {
    this(stores, Group.Leases.LEADER, first);
  }

  /** These begin one where those may read alone. */
  ByHand(boolean stores, Group.Leases leases, Long... first) {
    this.stores = stores;
    this.leases = leases;
    for (int i = 0; i < first.length; i++) {
      start(List.of(first));
    }
  }

  /** One more, that is no member yet. */
  void start() {
    start(List.of());
  }

  private void start(List<Long> first) {
    long id = machines.size() + 1L;
    Consensus machine =
        new Consensus(
            new Group(id, Quorum.MAJORITY, HEARTBEAT, ELECTION, stores, leases, 4, 1_000), id, now);
    machines.add(machine);
    logs.add(new ArrayList<>());
    if (!first.isEmpty()) {
      step(id, new Event.Founded(now, new SlotEntry.Members(first)));
    }
  }

  /** Which of these serves. */
  long leader(Long... among) {
    return List.of(among).stream().filter(id -> machine(id).serves()).findFirst().orElseThrow();
  }

  long now() {
    return now;
  }

  /** Whether it may read alone. */
  boolean holdsLease(long id) {
    return machine(id).holdsLease(now);
  }

  Consensus machine(long id) {
    return machines.get((int) id - 1);
  }

  /** What is in the log for good, as far as it knows. */
  List<SlotEntry> committed(long id) {
    return logs.get((int) id - 1);
  }

  void change(long id, Long... members) {
    change(id, List.of(), members);
  }

  /** The same, and of those that are members now these have gone. */
  void change(long id, List<Long> gone, Long... members) {
    step(id, new Event.Change(now, new SlotEntry.Members(List.of(members)), gone));
  }

  void propose(long id, SlotEntry.Proposed entry) {
    step(id, new Event.Propose(now, entry));
  }

  /** A message arrives at once. */
  void hears(long id, long from, LogMessage.OfBallot message) {
    step(id, new Event.Received(now, from, message));
  }

  /** From now on these messages are lost, by whom they go to. */
  void lose(BiPredicate<Long, LogMessage> of) {
    lost = of;
  }

  /** From now on messages take so long. */
  void travel(ToLongFunction<LogMessage> time) {
    travels = time;
  }

  /** For so long it hears nothing and does nothing; what comes meanwhile waits. */
  void isBusy(long id, long time) {
    busyUntil.put(id, now + time);
  }

  /** From now on it leads only if nobody else does. */
  void holdBack(long id) {
    machine(id).holdBack(true, now);
  }

  /** From now on its disk answers nothing. */
  void hangDisk(long id) {
    hung.put(id, new ArrayList<>());
  }

  /** Its disk answers again. */
  void freeDisk(long id) {
    Objects.requireNonNull(hung.remove(id)).forEach(vow -> said(id, vow.to(), vow.vow()));
  }

  /** How many entries wait for a disk that answers nothing. */
  long waiting(long id) {
    return Objects.requireNonNull(hung.get(id)).stream()
        .flatMap(vow -> vow.stored().stream())
        .mapToLong(record -> record instanceof LogMessage.Accept a ? a.entries().size() : 0)
        .sum();
  }

  private boolean isBusy(long id) {
    return busyUntil.getOrDefault(id, 0L) > now;
  }

  /** So much time passes at these, who hear each other, and what the others were sent is lost. */
  void run(long time, Long... among) {
    long until = now + time;
    while (now < until) {
      now++;
      deliver(Set.of(among));
      for (long id : among) {
        if (!isBusy(id)) {
          step(id, new Event.Tick(now));
        }
      }
    }
  }

  /** How many messages were sent since this was asked for the last time. */
  int takeSent() {
    int count = messages;
    messages = 0;
    return count;
  }

  private void deliver(Set<Long> among) {
    List<Sent> all = new ArrayList<>(sent);
    sent.clear();
    for (Sent next : all) {
      if (next.arrives > now || isBusy(next.to)) {
        sent.add(next);
        continue;
      }
      boolean arrives = among.contains(next.from) && among.contains(next.to);
      if (arrives && !lost.test(next.to, next.message)) {
        step(next.to, new Event.Received(now, next.from, next.message));
      }
    }
  }

  private void said(long from, long to, LogMessage.OfBallot message) {
    sent.add(new Sent(from, to, message, now + travels.applyAsLong(message)));
    messages++;
  }

  private void step(long id, Event event) {
    for (Effect effect : machine(id).step(event)) {
      switch (effect) {
        case Effect.Send(var to, var message) -> said(id, to, (LogMessage.OfBallot) message);
        case Effect.Vow vow -> {
          List<Effect.Vow> waiting = hung.get(id);
          if (waiting == null) {
            said(id, vow.to(), vow.vow());
          } else {
            waiting.add(vow);
          }
        }
        case Effect.Committed(var slot, var entry) -> committed(id).add(entry);
        case Effect.VotesNoMore stopped -> {}
        case Effect.AskForView ask -> throw new AssertionError("nobody has a view service");
        case Effect.Installed(var point) -> {
          committed(id).clear(); // That is in a state.
          installed.add(point);
        }
      }
    }
    machine(id).checkInvariants();
  }
}
