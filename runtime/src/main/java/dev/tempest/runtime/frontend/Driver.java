package dev.tempest.runtime.frontend;

import dev.tempest.FrontEndConfig;
import dev.tempest.protocol.frontend.Requests;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Message;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets the threads that ask do the work of the network themselves, because handing over to another
 * thread takes longer than a datagram's round trip.
 *
 * <p>It serves any number of front-ends. One thread at a time drives: it waits for the network,
 * lets the machines act and sends what they want sent. A thread that asks while nobody drives
 * becomes the driver until it has its own answer, and then makes one of the waiting threads the
 * driver. A background thread drives only while something is under way that no thread waits for.
 * One lock guards everything; the driver gives it up while it waits for the network and while it
 * runs the code of callers.
 *
 * <p>Thread-safe.
 */
final class Driver implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(Driver.class.getName());

  /** So many datagrams at most share a turn. */
  private static final int BATCH_MAX = 64;

  /** Beyond so many under way, of all front-ends together, more are refused. */
  static final int UNDER_WAY_MAX = 1 << 16;

  /** Puts what is asked to a machine. */
  private interface Start {
    void start(long ticket, long nowNanos);
  }

  private final Exchange exchange;
  private final ServerView servers;
  private final MonotonicClock clock;

  private final ReentrantLock lock = new ReentrantLock();
  private final PendingCalls calls = new PendingCalls();
  private volatile boolean closed;

  /** Who drives: a blocked caller or {@link #background}; null if nobody does. */
  private volatile @Nullable PendingCall driver;

  /** The thread that is within {@link #drive}. */
  private @Nullable Thread drivingThread;

  /** Until when the driver waits for the network; in the past while it does not. */
  private long awaitedUntilNanos = Long.MIN_VALUE;

  private final PendingCall background = PendingCall.callback(ending -> {});
  private @Nullable Thread backgroundThread;

  /** Drives an endpoint that sends as {@code self}. */
  Driver(Endpoint endpoint, long self, ServerView servers, MonotonicClock clock) {
    this.exchange = new Exchange(endpoint, self, servers, clock, calls);
    this.servers = servers;
    this.clock = clock;
  }

  /** Where the servers are. */
  ServerView servers() {
    return servers;
  }

  /** Lets a front-end ask from now on. */
  void open(long client, FrontEndConfig config) {
    lock.lock();
    try {
      exchange.open(client, config.acks(), (int) config.retryAfter().toMillis());
    } finally {
      lock.unlock();
    }
  }

  /** Ends what a front-end has asked, as closed. */
  void close(long client) {
    List<PendingCall> told;
    lock.lock();
    try {
      exchange.close(client);
      told = calls.takeEnded();
      exchange.wakeup(); // Whoever drives may have nothing to wait for any more.
    } finally {
      lock.unlock();
    }
    told.forEach(PendingCall::resume);
  }

  /**
   * Makes a request and waits for how it ends.
   *
   * @throws InterruptedException if the thread is interrupted before; the request goes on
   */
  Ending request(Submission submission, long timeoutNanos) throws InterruptedException {
    return await(
        PendingCall.blocked(Thread.currentThread()), List.of(submission(submission, timeoutNanos)));
  }

  /** Makes a request. {@code then} runs on the driving thread. */
  PendingCall request(Submission submission, long timeoutNanos, Consumer<Ending> then) {
    PendingCall call = PendingCall.callback(then);
    begin(call, List.of(submission(submission, timeoutNanos)));
    return call;
  }

  /**
   * Makes requests as one and waits until each has ended. Those that have not when the thread is
   * interrupted are cancelled; the thread stays interrupted.
   */
  Ending.OfParts requestAll(long client, List<Invocation<?>> invocations, long timeoutNanos) {
    PendingCall call = PendingCall.blocked(Thread.currentThread()).ofParts(invocations.size());
    try {
      await(call, submissions(invocations, timeoutNanos));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      cancel(client, call);
    }
    return call.endingOfParts();
  }

  /** Makes requests as one. {@code then} runs on the driving thread, or where it is cancelled. */
  PendingCall requestAll(
      List<Invocation<?>> invocations, long timeoutNanos, Consumer<Ending.OfParts> then) {
    PendingCall call =
        PendingCall.callback(ending -> then.accept((Ending.OfParts) ending))
            .ofParts(invocations.size());
    begin(call, submissions(invocations, timeoutNanos));
    return call;
  }

  /** Gives up what has not ended of it, and tells its caller. */
  void cancel(long client, PendingCall call) {
    List<PendingCall> told;
    lock.lock();
    try {
      for (PendingCall part : call.parts()) {
        if (part.ending() == null) {
          cancelPart(client, part);
        }
      }
      told = calls.takeEnded();
    } finally {
      lock.unlock();
    }
    told.forEach(PendingCall::resume);
  }

  private void cancelPart(long client, PendingCall part) {
    if (calls.isUnderWay(part.ticket())) {
      exchange.cancel(client, part.ticket());
      calls.complete(part.ticket(), new Ending.Cancelled());
    } else {
      part.end(new Ending.Cancelled()); // It was never begun.
    }
  }

  /** Asks one server. {@code then} runs on the driving thread. */
  void ask(
      long client,
      PeerAddress server,
      LongFunction<Message> question,
      LongFunction<Predicate<Message>> isAnswer,
      long timeoutNanos,
      Consumer<Ending> then) {
    begin(
        PendingCall.callback(then),
        List.of((ticket, nowNanos) ->
            exchange.ask(
                new Questions.Question(
                    ticket,
                    client,
                    server,
                    question.apply(ticket),
                    isAnswer.apply(ticket),
                    nowNanos + timeoutNanos),
                nowNanos)));
  }

  @Override
  public void close() {
    List<PendingCall> told;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      calls.ticketsUnderWay().forEach(ticket -> calls.complete(ticket, new Ending.Closed()));
      told = calls.takeEnded();
      exchange.close();
      LockSupport.unpark(backgroundThread);
    } finally {
      lock.unlock();
    }
    told.forEach(PendingCall::resume);
  }

  private Start submission(Submission submission, long timeoutNanos) {
    return (ticket, nowNanos) -> exchange.submit(ticket, submission, nowNanos, timeoutNanos);
  }

  boolean isClosed() {
    return closed;
  }

  private List<Start> submissions(List<Invocation<?>> invocations, long timeoutNanos) {
    List<Start> starts = new ArrayList<>(invocations.size());
    for (Invocation<?> made : invocations) {
      starts.add(submission(made.submission(), timeoutNanos));
    }
    return starts;
  }

  private Ending await(PendingCall call, List<Start> starts) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    boolean withinDriver = begin(call, starts);
    try {
      for (Ending ending = call.ending(); ; ending = call.ending()) {
        if (ending != null) {
          return ending;
        }
        if (Thread.interrupted()) {
          abandon(call);
          throw new InterruptedException();
        }
        if (withinDriver || driver == call) {
          drive(call);
        } else {
          LockSupport.park(this);
        }
      }
    } finally {
      if (driver == call) {
        handOver();
      }
    }
  }

  /** Starts; true if the thread is the driving one, called back by itself. */
  private boolean begin(PendingCall call, List<Start> starts) {
    boolean withinDriver;
    boolean resume = false;
    lock.lock();
    try {
      withinDriver = Thread.currentThread().equals(drivingThread);
      if (closed || calls.sizeUnderWay() + starts.size() > UNDER_WAY_MAX) {
        Ending refusal = closed ? new Ending.Closed() : overloaded();
        call.parts().forEach(part -> part.end(refusal));
        resume = !call.isBlocked();
      } else {
        begin(call, starts, withinDriver);
      }
    } finally {
      lock.unlock();
    }
    if (resume) {
      call.resume();
    }
    return withinDriver;
  }

  private void begin(PendingCall call, List<Start> starts, boolean withinDriver) {
    calls.add(call);
    long nowNanos = clock.nowNanos(); // The same for all: they share their deadline.
    for (int i = 0; i < starts.size(); i++) {
      starts.get(i).start(calls.begin(call.parts().get(i)), nowNanos);
    }
    if (withinDriver) {
      return; // Its turn sends all at once when it ends.
    }
    exchange.flush();
    if (driver == null) {
      driver = call.isBlocked() ? call : background;
      if (driver == background) {
        wakeBackground();
      }
    } else if (calls.hasEnded() || exchange.nextTickNanos() < awaitedUntilNanos) {
      exchange.wakeup();
    }
  }

  private static Ending overloaded() {
    return new Ending.OfRequest(
        new Requests.Completion.Answered(
            new Answer.Refused(
                Answer.Reason.OVERLOADED, UNDER_WAY_MAX + " requests are under way already")));
  }

  /** The request goes on, but nobody waits for it any more. */
  private void abandon(PendingCall call) {
    lock.lock();
    try {
      calls.abandon(call);
    } finally {
      lock.unlock();
    }
  }

  /** Makes another waiting thread the driver, or the background thread where none waits. */
  private void handOver() {
    PendingCall next;
    lock.lock();
    try {
      next = calls.firstBlocked();
      if (next == null && unattended()) {
        next = background;
      }
      driver = next;
      if (next == background) {
        wakeBackground();
      }
    } finally {
      lock.unlock();
    }
    if (next != null) {
      next.resume();
    }
  }

  private boolean unattended() {
    return !closed && calls.isAnyUnattended();
  }

  private void wakeBackground() {
    Thread thread = backgroundThread;
    if (thread == null) {
      thread = new Thread(this::runBackground, "tempest-front-end");
      thread.setDaemon(true);
      backgroundThread = thread;
      thread.start();
    } else {
      LockSupport.unpark(thread);
    }
  }

  private void runBackground() {
    try {
      while (!closed) {
        Thread.interrupted(); // An interrupt by the code of a caller is none for this thread.
        if (driver == background) {
          drive(background);
          handOver();
        } else {
          LockSupport.park(this);
        }
      }
    } catch (RuntimeException | Error bug) {
      LOGGER.log(Level.ERROR, "The front-end closes because of a bug", bug);
      close();
    }
  }

  /** Drives until {@code call} has ended, or the background thread is not needed. */
  private void drive(PendingCall call) {
    lock.lock();
    Thread outer = drivingThread;
    drivingThread = Thread.currentThread();
    try {
      exchange.flush();
      while (!closed
          && call.ending() == null
          && !Thread.currentThread().isInterrupted()
          && (call != background || unattended())) {
        if (!calls.hasEnded()) {
          awaitNetwork();
        }
        turns(call);
      }
    } finally {
      drivingThread = outer;
      lock.unlock();
    }
  }

  private void awaitNetwork() {
    long nextNanos = exchange.nextTickNanos();
    awaitedUntilNanos = nextNanos;
    lock.unlock();
    try {
      exchange.await(nextNanos);
    } finally {
      lock.lock();
      awaitedUntilNanos = Long.MIN_VALUE;
    }
  }

  /** Turn after turn while something arrives and {@code call} is pending. */
  private void turns(PendingCall call) {
    // The first turn takes one datagram: a single caller's answer, and nothing is behind it.
    int batch = 1;
    int received;
    do {
      received = exchange.turn(batch);
      resumeEnded();
      exchange.flush();
      batch = BATCH_MAX;
    } while (received > 0 && call.ending() == null && !closed);
  }

  /** Tells those whose requests ended, without the lock: they may ask for more. */
  private void resumeEnded() {
    if (!calls.hasEnded()) {
      return;
    }
    List<PendingCall> told = calls.takeEnded();
    lock.unlock();
    try {
      told.forEach(PendingCall::resume);
    } finally {
      lock.lock();
    }
  }
}
