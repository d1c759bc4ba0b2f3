package dev.tempest.runtime.frontend;

import dev.tempest.FrontEndConfig;
import dev.tempest.protocol.frontend.Requests;
import dev.tempest.runtime.LogLines;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Message;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/**
 * Does the work of the network for any number of front-ends. One thread at a time drives: it takes
 * what callers have left in the inbox, waits for the network, lets the machines act, sends what
 * they want sent, and tells those whose calls ended.
 *
 * <p>A caller that is alone drives itself until it has its answer, because handing over to another
 * thread takes longer than a datagram's round trip. Once calls overlap, a background thread drives
 * for all, and goes on until callers have been alone for a while: what many ask and are answered
 * meanwhile shares its turns, and so datagrams and wake-ups. No caller waits for the driving thread
 * before it has left its request, and none longer than until its deadline, whatever that thread
 * does.
 *
 * <p>Thread-safe.
 */
final class Driver implements AutoCloseable {
  private static final System.Logger LOGGER = LogLines.logger(Driver.class);

  /** So many datagrams at most share a turn. */
  private static final int BATCH_MAX = 64;

  /** Beyond so many under way, of all front-ends together, more are refused. */
  static final int UNDER_WAY_MAX = 1 << 16;

  /** After so many calls that met no other one, callers drive themselves again. */
  private static final int ALONE_CALLS = 16;

  /**
   * The driving thread ends a call at its deadline and knows more, such as that it was never sent;
   * a caller looks later, when that thread cannot just be busy.
   */
  private static final long GRACE_NANOS = 250_000_000;

  private final Exchange exchange;
  private final MonotonicClock clock;
  private final PendingCalls calls = new PendingCalls(UNDER_WAY_MAX);

  /** What the driving thread is to do. */
  private final Queue<Runnable> inbox = new ConcurrentLinkedQueue<>();

  /** Held by the thread that drives; it guards the exchange and the calls. */
  private final ReentrantLock driving = new ReentrantLock();

  /** Whether the driving thread waits for the network, and has not been woken. */
  private final AtomicBoolean awaiting = new AtomicBoolean();

  /** Whether the background thread drives, or is about to. */
  private volatile boolean shared;

  private final BackgroundThread background = new BackgroundThread(this::driveInBackground);
  private int aloneCalls;
  private volatile boolean closed;

  /** Drives a channel, on which it is {@code self}. */
  Driver(Channel channel, long self, MonotonicClock clock) {
    this.exchange = new Exchange(channel, self, clock, calls, this::later);
    this.clock = clock;
  }

  boolean isClosed() {
    return closed;
  }

  /** Lets a front-end ask from now on. */
  void open(long client, FrontEndConfig config) {
    int retryAfterMillis = (int) config.retryAfter().toMillis();
    inbox.add(() -> exchange.open(client, config.acks(), retryAfterMillis));
  }

  /** Ends what a front-end has asked, as closed. */
  void close(long client) {
    inbox.add(() -> exchange.close(client));
    attend();
  }

  /**
   * Makes a request and waits for how it ends.
   *
   * @throws InterruptedException if the thread is interrupted before; the request goes on
   */
  Ending request(Submission submission, long timeoutNanos) throws InterruptedException {
    PendingCall call = PendingCall.blocked(Thread.currentThread());
    long deadlineNanos = clock.nowNanos() + timeoutNanos;
    return await(call, List.of(start(submission, deadlineNanos)), deadlineNanos);
  }

  /** Makes a request; {@code executor} runs {@code then}. */
  PendingCall request(
      Submission submission, long timeoutNanos, Executor executor, Consumer<Ending> then) {
    PendingCall call = PendingCall.callback(executor, then);
    begin(call, List.of(start(submission, clock.nowNanos() + timeoutNanos)));
    return call;
  }

  /**
   * Makes requests as one and waits until each has ended. Those that have not when the thread is
   * interrupted are cancelled; the thread stays interrupted.
   */
  Ending.OfParts requestAll(long client, List<Invocation<?>> invocations, long timeoutNanos) {
    PendingCall call = PendingCall.blocked(Thread.currentThread()).ofParts(invocations.size());
    long deadlineNanos = clock.nowNanos() + timeoutNanos;
    try {
      return (Ending.OfParts) await(call, starts(invocations, deadlineNanos), deadlineNanos);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      cancel(client, call);
      while (call.ending() == null) {
        Thread.onSpinWait(); // The last part has ended, by the driving thread, which says so next.
      }
      return (Ending.OfParts) Objects.requireNonNull(call.ending());
    }
  }

  /** Makes requests as one; {@code executor} runs {@code then}. */
  PendingCall requestAll(
      List<Invocation<?>> invocations,
      long timeoutNanos,
      Executor executor,
      Consumer<Ending.OfParts> then) {
    PendingCall call =
        PendingCall.callback(executor, ending -> then.accept((Ending.OfParts) ending))
            .ofParts(invocations.size());
    begin(call, starts(invocations, clock.nowNanos() + timeoutNanos));
    return call;
  }

  /** Gives up what has not ended of it, and tells who asked. */
  void cancel(long client, PendingCall call) {
    if (call.endAll(new Ending.Cancelled()) != null) {
      tell(call);
    }
    inbox.add(() -> {
      for (PendingCall part : call.parts()) {
        exchange.cancel(client, part.ticket());
        calls.complete(part.ticket(), new Ending.Cancelled());
      }
    });
    attend();
  }

  /** Asks one server. {@code then} runs on the driving thread. */
  void ask(
      long client,
      String server,
      LongFunction<Message> question,
      LongFunction<Predicate<Message>> isAnswer,
      long timeoutNanos,
      Consumer<Ending> then) {
    long deadlineNanos = clock.nowNanos() + timeoutNanos;
    begin(
        PendingCall.callback(Runnable::run, then),
        List.of(ticket ->
            exchange.ask(
                new Questions.Question(
                    ticket,
                    client,
                    server,
                    question.apply(ticket),
                    isAnswer.apply(ticket),
                    deadlineNanos))));
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    exchange.wakeup();
    driving.lock(); // Whoever drives leaves at once.
    try {
      takeInbox();
      calls.completeAll(new Ending.Closed());
      exchange.close();
      tellEnded();
    } finally {
      driving.unlock();
    }
    background.close();
  }

  /** Has the driving thread do something. */
  private void later(Runnable task) {
    inbox.add(() -> {
      if (!closed) {
        task.run();
      }
    });
    attend();
  }

  private LongConsumer start(Submission submission, long deadlineNanos) {
    return ticket -> exchange.submit(ticket, submission, deadlineNanos);
  }

  private List<LongConsumer> starts(List<Invocation<?>> invocations, long deadlineNanos) {
    List<LongConsumer> starts = new ArrayList<>(invocations.size());
    for (Invocation<?> made : invocations) {
      starts.add(start(made.submission(), deadlineNanos));
    }
    return starts;
  }

  // --- What callers do ---

  private Ending await(PendingCall call, List<LongConsumer> starts, long deadlineNanos)
      throws InterruptedException {
    if (driving.isHeldByCurrentThread() || exchange.isAnswering()) {
      throw new IllegalStateException(
          "this thread delivers answers and must not wait for one:"
              + " complete futures on another executor, or call asynchronously");
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (leave(call, starts)) {
      if (shared || !driving.tryLock()) {
        wakeDriver();
      } else {
        driveUntilEnded(call);
      }
    }
    for (Ending ending = call.ending(); ; ending = call.ending()) {
      if (ending != null) {
        return ending;
      }
      long leftNanos = deadlineNanos + GRACE_NANOS - clock.nowNanos();
      if (leftNanos <= 0) {
        call.endAll(unknown());
        background.wake(); // It should have told.
      } else {
        LockSupport.parkNanos(this, leftNanos);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    }
  }

  private void begin(PendingCall call, List<LongConsumer> starts) {
    if (leave(call, starts)) {
      attend();
    } else {
      tell(call);
    }
  }

  /** Leaves a call in the inbox; false if it has been refused, and so has ended. */
  private boolean leave(PendingCall call, List<LongConsumer> starts) {
    if (closed || !calls.reserve(starts.size())) {
      call.endAll(closed ? new Ending.Closed() : overloaded());
      return false;
    }
    inbox.add(() -> start(call, starts));
    // Who closed may have looked into the inbox before.
    return !closed || call.endAll(new Ending.Closed()) == null;
  }

  private static Ending unknown() {
    return new Ending.OfRequest(new Requests.Completion.Unknown(1, null));
  }

  private static Ending overloaded() {
    return new Ending.OfRequest(
        new Requests.Completion.Answered(
            new Answer.Refused(
                Answer.Reason.OVERLOADED,
                UNDER_WAY_MAX + " requests are already waiting for replies")));
  }

  /** Makes sure that a thread takes what is in the inbox, and drives while that is under way. */
  private void attend() {
    if (closed || driving.isHeldByCurrentThread()) {
      return; // All has ended, or this thread's turn takes it.
    }
    if (shared || !driving.tryLock()) {
      wakeDriver();
      return;
    }
    try {
      takeInboxAndSend();
    } catch (Throwable failure) {
      failed(failure);
      throw failure;
    } finally {
      handOver();
    }
  }

  private void wakeDriver() {
    if (awaiting.get() && awaiting.compareAndSet(true, false)) {
      exchange.wakeup();
    }
  }

  private static void tell(PendingCall call) {
    try {
      call.tell();
    } catch (Throwable failure) {
      LOGGER.log(Level.WARNING, "Code that runs on an answer failed", failure);
    }
  }

  // --- What the driving thread does ---

  private void driveUntilEnded(PendingCall call) {
    try {
      // The first turn takes one datagram: a single caller's answer, and nothing is behind it.
      drive(() -> call.ending() != null || Thread.currentThread().isInterrupted(), 1);
    } catch (Throwable failure) {
      failed(failure);
      throw failure;
    } finally {
      handOver();
    }
  }

  /** Gives the driving up; to the background thread if anything is under way. */
  private void handOver() {
    driving.unlock();
    if (!closed && (calls.size() > 0 || !inbox.isEmpty())) {
      shared = true;
      background.wake();
    }
  }

  private void driveInBackground() {
    if (!shared) {
      return;
    }
    driving.lock();
    try {
      aloneCalls = 0;
      drive(this::areCallersAlone, BATCH_MAX);
    } catch (Throwable failure) {
      failed(failure);
    } finally {
      shared = false; // Until it is woken again.
      handOver();
    }
  }

  private boolean areCallersAlone() {
    return aloneCalls >= ALONE_CALLS && calls.size() == 0 && inbox.isEmpty();
  }

  /** A machine that throws has a bug; but any code may find no memory, or no room on the stack. */
  private void failed(Throwable failure) {
    if (failure instanceof VirtualMachineError) {
      LOGGER.log(
          Level.WARNING,
          "A thread that served a front-end failed; another one takes over",
          failure);
    } else {
      LOGGER.log(Level.ERROR, "The front-end closes because of a bug", failure);
      close();
    }
  }

  private void drive(BooleanSupplier isEnough, int firstBatch) {
    takeInboxAndSend();
    while (!closed && !isEnough.getAsBoolean()) {
      awaitNetwork();
      int batch = firstBatch;
      int received;
      do {
        received = exchange.turn(batch);
        takeInboxAndSend();
        batch = BATCH_MAX;
      } while (received > 0 && !closed && !isEnough.getAsBoolean());
    }
  }

  private void awaitNetwork() {
    awaiting.set(true);
    // Who leaves something later sees that it has to wake.
    exchange.await(inbox.isEmpty() ? exchange.nextTickNanos() : 0);
    awaiting.set(false);
  }

  /** Callers that wait are told last: they run as soon as they are, and here is work to do. */
  private void takeInboxAndSend() {
    takeInbox();
    exchange.flush();
    tellEnded();
  }

  private void takeInbox() {
    for (Runnable task = inbox.poll(); task != null; task = inbox.poll()) {
      task.run();
    }
  }

  private void tellEnded() {
    if (calls.hasEnded()) {
      calls.takeEnded().forEach(Driver::tell);
    }
  }

  private void start(PendingCall call, List<LongConsumer> starts) {
    boolean alone = call.isBlocked() && calls.size() == starts.size();
    aloneCalls = alone ? aloneCalls + 1 : 0;
    for (int i = 0; i < starts.size(); i++) {
      long ticket = calls.begin(call.parts().get(i));
      try {
        starts.get(i).accept(ticket);
      } catch (Throwable failure) {
        calls.complete(ticket, unknown());
        throw failure;
      }
    }
  }
}
