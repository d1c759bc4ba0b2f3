package dev.tempest.runtime.transport;

import dev.tempest.runtime.LogLines;
import dev.tempest.runtime.Stopwatch;
import dev.tempest.values.encoding.FullMemory;
import java.lang.System.Logger.Level;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The one thread of a server: receives, lets its machines act, sends what they want sent.
 *
 * <p>Everything belongs to that thread, but for what any thread may do or ask.
 */
public final class EventLoop implements Runnable, AutoCloseable {
  /**
   * So many datagrams of one socket at most share a turn, and so its outgoing datagrams. Enough to
   * empty the socket under a flood, so that who asks hears that there is no time.
   */
  private static final int BATCH_MAX = 256;

  /**
   * Whoever waited for less than this found more to receive already there: then many datagrams
   * share a turn. Otherwise the turn takes one, so that its answer does not wait for a look after
   * more, nor the next wait: looking costs a system call of the four that a request takes.
   */
  private static final long BACKLOG_NANOS = 2_000;

  /**
   * The first line of a log allocates 1.2 MB in java.util.logging, most of it only for a moment.
   */
  private static final int RESERVE_BYTES = 1 << 20;

  private static final System.Logger LOGGER = LogLines.logger(EventLoop.class);
  private static final String STOPPED = "The event loop stopped, and this process with it";
  private static final String STOPPED_FULL = STOPPED + ": " + FullMemory.REMEDY;

  /** As {@link #busySinceNanos}: it waits for something to do. */
  public static final long NOT_BUSY = Long.MIN_VALUE;

  /** What the loop drives. */
  public interface Machines extends Endpoint.Receiver {
    /** Executes what was received, or some of it. */
    void execute();

    /** Does what else is due and returns when something will be next, in nanoseconds from now. */
    long tick();

    /** The loop has ended; {@code bug} is why, null if it was closed. */
    void ended(@Nullable Throwable bug);
  }

  private final Endpoint endpoint;
  private final Machines machines;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;
  private volatile boolean ended;
  private volatile long busySinceNanos = NOT_BUSY;
  private final Stopwatch turns = new Stopwatch();

  /** Given back when the loop dies: if the memory is full, it takes some to say so and to end. */
  @SuppressWarnings("UnusedVariable") // It only takes up room.
  private byte @Nullable [] reserve = new byte[RESERVE_BYTES];

  public EventLoop(Endpoint endpoint, Machines machines) {
    this.endpoint = endpoint;
    this.machines = machines;
  }

  /**
   * Runs a task on the loop's thread. Any thread may call it.
   *
   * @return false if the loop has ended, and touches nothing any more
   */
  public boolean execute(Runnable task) {
    if (ended) {
      return false;
    }
    tasks.add(task);
    endpoint.wakeup();
    return true;
  }

  /** Since when it does something, by {@link System#nanoTime}. Any thread may ask. */
  public long busySinceNanos() {
    return busySinceNanos;
  }

  /** How long turns took that have ended. */
  public Stopwatch turns() {
    return turns;
  }

  /** Whether it does nothing any more, or soon will not. Any thread may ask. */
  public boolean isClosed() {
    return closed || ended;
  }

  @Override
  public void run() {
    Throwable reason = null;
    try {
      int batch = 1;
      long beforeNanos = System.nanoTime();
      while (!closed) {
        long beganNanos = beforeNanos;
        busySinceNanos = beganNanos;
        long idleNanos = turn(batch);
        busySinceNanos = NOT_BUSY;
        Thread.interrupted(); // What a method of a service left: no wait would be one any more.
        beforeNanos = System.nanoTime();
        turns.took(beforeNanos - beganNanos);
        if (!endpoint.await(idleNanos)) {
          break;
        }
        MonotonicClock.ofProcess().look(); // A lease does not outlive a suspend.
        long waitedNanos = System.nanoTime() - beforeNanos;
        beforeNanos += waitedNanos;
        boolean isBehind = idleNanos <= 0 || waitedNanos < BACKLOG_NANOS;
        batch = isBehind ? BATCH_MAX : 1;
      }
    } catch (Throwable bug) {
      reason = bug;
      reserve = null;
      LOGGER.log(Level.ERROR, FullMemory.isMetBy(bug) ? STOPPED_FULL : STOPPED, bug);
      throw bug;
    } finally {
      busySinceNanos = NOT_BUSY;
      try {
        machines.ended(reason);
      } finally {
        endpoint.close(); // Even if the memory is too full for the machines.
        ended = true;
        tasks.clear();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    endpoint.wakeup();
  }

  /** One turn; returns how long there will be nothing to do unless something arrives. */
  private long turn(int batch) {
    endpoint.receive(batch, machines);
    if (batch == 1) {
      endpoint.flush(); // Somebody may wait for it, and nothing comes that could go with it.
    }
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
    machines.execute();
    if (batch == 1) {
      endpoint.flush(); // As above: an answer does not wait for what else is due.
    }
    long idleNanos = machines.tick();
    endpoint.flush();
    return idleNanos;
  }
}
