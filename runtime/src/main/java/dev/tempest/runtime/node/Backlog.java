package dev.tempest.runtime.node;

import dev.tempest.protocol.Address;
import dev.tempest.runtime.Stopwatch;
import dev.tempest.runtime.flight.Flight;
import dev.tempest.runtime.heap.Heap;
import dev.tempest.runtime.transport.Counters;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.wire.Message;

/**
 * The requests that wait for their turn, and how long a turn executes them.
 *
 * <p>Owned by the event loop.
 */
final class Backlog {
  /** Executes requests. */
  interface Executor {
    /** To be executed now. Returns by which service; nothing if it is not hosted. */
    String execute(Address from, Message.RequestMessage request, long nowNanos);

    /** It is not to be executed; whoever asks is told why, or what it came to before. */
    void refuse(Address from, Message.Update update, String why, long nowNanos);
  }

  private final MonotonicClock clock;
  private final Counters counters;
  private final Executor executor;
  private final UpdateBacklog updates = new UpdateBacklog(Heap::hindrance);
  private final ReadBacklog reads = new ReadBacklog();
  private final TurnShare share = new TurnShare();
  private final Overload overload = new Overload();
  private final Stopwatch updating = new Stopwatch();
  private final Stopwatch reading = new Stopwatch();

  Backlog(MonotonicClock clock, Counters counters, Executor executor) {
    this.clock = clock;
    this.counters = counters;
    this.executor = executor;
  }

  /** It is executed with this turn or a later one, or refused at once. */
  void add(Address from, Message.Update update, long nowNanos) {
    String refused = updates.add(from, update, nowNanos);
    if (!refused.isEmpty()) {
      counters.count(Counters.Kind.UPDATES_SHED);
      overload.shed(1, 0, nowNanos);
      executor.refuse(from, update, refused, nowNanos);
    }
  }

  void add(Address from, Message.Read read, long nowNanos) {
    shed(reads.add(from, read, nowNanos), nowNanos);
  }

  void add(Address from, Message.SeenRead read, long nowNanos) {
    shed(reads.add(from, read, nowNanos), nowNanos);
  }

  private void shed(int gone, long nowNanos) {
    if (gone > 0) {
      counters.count(Counters.Kind.READS_SHED, gone);
      overload.shed(0, gone, nowNanos);
    }
  }

  int updatesWaiting() {
    return updates.size();
  }

  int readsWaiting() {
    return reads.size();
  }

  /** How long updates took from their arrival. */
  Stopwatch updating() {
    return updating;
  }

  /** How long reads did. */
  Stopwatch reading() {
    return reading;
  }

  /**
   * How many wait beside the one whose turn it is. What one turn takes off the sockets is what
   * waited there when it began. The loop takes one datagram a turn while none waits behind it: that
   * is no load.
   */
  int load() {
    return Math.max(0, updates.size() + reads.size() - 1);
  }

  boolean isEmpty() {
    return updates.size() + reads.size() == 0;
  }

  /** For a while only: replicas are not to wait behind requests, nor updates behind reads. */
  void execute() {
    long nowNanos = clock.nowNanos();
    share.begins(nowNanos);
    long endNanos = nowNanos + share.updatingNanos();
    Waiting<Message.Update> update = updates.take();
    while (update != null) {
      nowNanos = execute(update, nowNanos, updating);
      update = nowNanos < endNanos ? updates.take() : null;
    }
    updates.left(nowNanos);
    endNanos = nowNanos + share.readingNanos();
    Waiting<Message.RequestMessage> read = reads.take();
    while (read != null) {
      nowNanos = execute(read, nowNanos, reading);
      read = nowNanos < endNanos ? reads.take() : null;
    }
    share.ends(nowNanos, !isEmpty());
  }

  /** Executes it, and returns when it is done. */
  private long execute(Waiting<?> waiting, long nowNanos, Stopwatch stopwatch) {
    Message.RequestMessage request = waiting.request();
    String service = executor.execute(waiting.from(), request, nowNanos);
    long doneNanos = clock.nowNanos();
    long tookNanos = doneNanos - waiting.sinceNanos();
    stopwatch.took(tookNanos);
    Flight.request(service, request instanceof Message.Update, tookNanos);
    return doneNanos;
  }
}
