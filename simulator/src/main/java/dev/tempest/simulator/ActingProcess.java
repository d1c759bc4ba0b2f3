package dev.tempest.simulator;

import dev.tempest.protocol.Effect.Decided;
import dev.tempest.protocol.Effect.Decision;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.ReadsAlone;
import dev.tempest.protocol.order.Stand;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.simulator.Violation.Kind;
import dev.tempest.state.versioned.Home.Certain;
import dev.tempest.state.versioned.Version;
import dev.tempest.state.versioned.VersionedAction;
import dev.tempest.state.versioned.VersionedState;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A life of a process with collections that a group agrees on, and its threads, each of which does
 * one thing after the other: as in the runtime one at a time executes, and waits for what is
 * decided while others execute.
 */
final class ActingProcess {
  private static final long MILLI = 1_000_000;
  private static final int CHANGE_MAX_BYTES = 1 << 20;
  private static final int PAUSE_MAX_MICROS = 100_000;

  /** So many threads only read: they go on where nobody can write, as at a leader of before. */
  private static final int READERS_PERCENT = 30;

  /** An execution takes so long, if it takes any time. */
  private static final int EXECUTES_MAX_MICROS = 5_000;

  private static final int TAKES_TIME_PERCENT = 25;

  /** Whoever wants to execute looks again then, if another thread does. */
  private static final int TURN_MICROS = 100;

  private static final int READS_ALONE_PERCENT = 70;
  private static final int SHORT_DEADLINE_PERCENT = 20;
  private static final int SHORT_DEADLINE_MAX_MILLIS = 400;
  private static final long DEADLINE_NANOS = 3_000 * MILLI;

  /** Something that a thread does, until it gives up. */
  private record Task(ThreadAction action, long deadlineNanos) {}

  private final LinearizableWorld world;
  private final ConsensusServer server;
  private final Randomness random;
  private final VersionedState state = new VersionedState();
  private final Map<String, Long> map = state.map("map", String.class, Long.class);
  private final Deque<Long> deque = state.deque(Deed.DEQUE, Integer.MAX_VALUE, Long.class);
  private final ServiceInstance instance = ServiceInstance.ofState(state);
  private final ByteWriter writer = new ByteWriter(CHANGE_MAX_BYTES);

  /** The threads that only read. */
  private final Set<String> readers = new TreeSet<>();

  /** What threads wait for, by tickets. */
  private final Map<Long, Task> waiting = new TreeMap<>();

  private boolean hasJoined;
  private boolean isExecuting;
  private long lastTicket;

  ActingProcess(LinearizableWorld world, ConsensusServer server, Randomness random) {
    this.world = world;
    this.server = server;
    this.random = random;
    int threads = random.between(1, 3);
    for (int thread = 0; thread < threads; thread++) {
      String name = server.name() + "." + thread;
      if (random.chance(READERS_PERCENT)) {
        readers.add(name);
      }
      actLater(name);
    }
  }

  /** What it hosts. */
  ServiceInstance instance() {
    return instance;
  }

  /** What a thread would be told that reads the map in the end, and takes what is in the deque. */
  List<ThreadAction> last(List<String> keys) {
    VersionedAction begun = state.begin(server.machine().version(), server.clockNanos() / MILLI, 0);
    List<ThreadAction> all = new ArrayList<>();
    Deed poll = new Deed(Deed.Kind.POLL_FIRST, "", 0);
    all.add(readAll(Collections.nCopies(deque.size() + 1, poll)));
    keys.forEach(key -> all.add(readAll(List.of(new Deed(Deed.Kind.GET, key, 0)))));
    begun.abort();
    return all;
  }

  private ThreadAction readAll(List<Deed> deeds) {
    ThreadAction action = new ThreadAction(server.name(), deeds, true, world.nowNanos());
    action.counts(action.with(map, deque), world.nowNanos());
    return action;
  }

  private void actLater(String thread) {
    world.after(random.below(PAUSE_MAX_MICROS) * 1_000L, () -> running(() -> act(thread)));
  }

  /** In this life, once nothing stops it. */
  private void running(Runnable what) {
    if (!world.lives(this)) {
      return;
    }
    if (server.isStopped()) {
      world.after(server.stoppedUntilNanos() - world.nowNanos(), () -> running(what));
    } else {
      what.run();
    }
  }

  private void act(String thread) {
    hasJoined |= server.machine().isActive();
    if (!world.takesRequests()) {
      return;
    }
    if (!hasJoined) {
      actLater(thread);
      return;
    }
    ThreadAction action = world.next(thread, readers.contains(thread));
    long patienceNanos =
        random.chance(SHORT_DEADLINE_PERCENT)
            ? random.below(SHORT_DEADLINE_MAX_MILLIS) * MILLI
            : DEADLINE_NANOS;
    begin(new Task(action, world.nowNanos() + patienceNanos));
  }

  private void begin(Task task) {
    ThreadAction action = task.action();
    if (action.isLook && hasReadAlone(action)) {
      world.told(server, action);
      actLater(action.thread);
    } else if (action.isLook) {
      long ticket = await(task);
      server.step(new Event.Looks(server.clockNanos(), ticket));
      endLater(ticket, task);
    } else {
      execute(task);
    }
  }

  /** As threads read that find all there; else, and now and then nevertheless, it asks. */
  private boolean hasReadAlone(ThreadAction action) {
    ReadsAlone alone = server.machine().readsAlone();
    if (alone == null
        || server.clockNanos() >= alone.untilNanos()
        || !random.chance(READS_ALONE_PERCENT)) {
      return false;
    }
    Certain certain = alone.certain();
    VersionedAction reading = state.beginTraced(certain.version(), server.clockNanos() / MILLI, 0);
    List<@Nullable Long> seen = action.with(map, deque);
    boolean isCertain = !certain.except().meets(reading.footprint());
    reading.abort();
    if (isCertain) {
      action.counts(seen, world.nowNanos());
    }
    return isCertain;
  }

  private long await(Task task) {
    long ticket = ++lastTicket;
    waiting.put(ticket, task);
    return ticket;
  }

  private void execute(Task task) {
    if (isExecuting) {
      world.after(TURN_MICROS * 1_000L, () -> running(() -> execute(task)));
      return;
    }
    Stand stand = server.machine().stand();
    ThreadAction action = task.action();
    VersionedAction begun =
        state.beginTraced(stand.version(), server.clockNanos() / MILLI, random.nextLong());
    List<@Nullable Long> given = action.with(map, deque);
    Event.Acted acted = acted(stand, begun);
    isExecuting = true;
    boolean takesTime = random.chance(TAKES_TIME_PERCENT);
    world.after(
        takesTime ? random.below(EXECUTES_MAX_MICROS) * 1_000L : 0,
        () ->
            running(() -> {
              isExecuting = false;
              action.executed(given);
              offer(task, acted);
            }));
  }

  private Event.Acted acted(Stand stand, VersionedAction begun) {
    Bytes change = Bytes.EMPTY;
    Version after = stand.version();
    writer.reset();
    if (begun.change().isEmpty()) {
      begun.abort();
    } else {
      state.writeChange(begun.change(), writer);
      change = writer.toBytes();
      after = begun.commit();
    }
    writer.reset();
    begun.footprint().write(writer);
    return new Event.Acted(0, 0, stand, writer.toBytes(), change, after);
  }

  private void offer(Task task, Event.Acted acted) {
    long ticket = await(task);
    server.step(
        new Event.Acted(
            server.clockNanos(),
            ticket,
            acted.stand(),
            acted.footprint(),
            acted.change(),
            acted.after()));
    endLater(ticket, task);
  }

  /** Its thread waits no longer than it may. */
  private void endLater(long ticket, Task task) {
    if (!waiting.containsKey(ticket)) {
      return;
    }
    world.after(
        Math.max(0, task.deadlineNanos() - world.nowNanos()), () -> running(() -> end(ticket)));
  }

  private void end(long ticket) {
    if (!waiting.containsKey(ticket)) {
      return;
    }
    server.step(new Event.EndWait(server.clockNanos(), ticket));
    if (waiting.containsKey(ticket)) {
      throw wrong("is not told what is known at the end of its wait", waiting.get(ticket));
    }
  }

  /** A thread is told what became of what it did. */
  void decided(Decided decided) {
    Task task = waiting.remove(decided.ticket());
    if (task == null) {
      throw wrong("decides again, or what nobody waits for: " + decided, null);
    }
    ThreadAction action = task.action();
    switch (decided.decision()) {
      case COUNTS ->
          action.counts(
              action.isLook ? look(action, server.machine().version()) : action.results(),
              world.nowNanos());
      case AGAIN -> action.isVoid();
      case FAILED -> {
        action.isVoid();
        if (!action.isLook && !decided.why().isEmpty()) {
          throw wrong("cannot apply what was written: " + decided.why(), task);
        }
      }
      case UNKNOWN -> {}
    }
    world.told(server, action);
    boolean goesOn =
        decided.decision() == Decision.AGAIN && world.nowNanos() < task.deadlineNanos();
    if (goesOn) {
      world.after(0, () -> running(() -> begin(task)));
    } else {
      actLater(action.thread);
    }
  }

  private List<@Nullable Long> look(ThreadAction action, Version version) {
    VersionedAction reading = state.beginReadOnly(version, server.clockNanos() / MILLI);
    try {
      return action.with(map, deque);
    } finally {
      reading.abort();
    }
  }

  private Violation.Found wrong(String what, @Nullable Task task) {
    return new Violation.Found(
        new Violation(
            Kind.WRONG_OUTCOME,
            server.name() + " " + what + (task == null ? "" : ": " + task.action())));
  }
}
