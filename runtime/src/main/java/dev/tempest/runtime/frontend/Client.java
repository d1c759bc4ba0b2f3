package dev.tempest.runtime.frontend;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.Outcome;
import dev.tempest.Reads;
import dev.tempest.runtime.flight.Flight;
import dev.tempest.runtime.transport.MonotonicClock;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.wire.Message;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One incarnation of a front-end: names its requests and hands them to a driver. Thread-safe. */
public final class Client implements AutoCloseable {
  /** Whether the thread runs the function of a transaction, of any front-end. */
  private static final ThreadLocal<Boolean> IN_TRANSACTION = ThreadLocal.withInitial(() -> false);

  private static final String NOT_OWN =
      "This client does not come from service() of this front-end";

  private final FrontEndConfig config;
  private final Driver driver;
  private final long id;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Client(FrontEndConfig config, Driver driver, long id) {
    this.config = config;
    this.driver = driver;
    this.id = id;
  }

  /** Opens a client on the driver that others with the same servers use. */
  public static Client connect(FrontEndConfig config) {
    return open(config, Drivers.ofProcess().take(config));
  }

  /** Opens a client of the node in this process. */
  public static Client connect(FrontEndConfig config, LocalChannel channel) {
    long self = Drivers.ofProcess().newClient();
    return open(config, new Driver(channel, self, MonotonicClock.ofProcess()));
  }

  private static Client open(FrontEndConfig config, Driver driver) {
    long id = Drivers.ofProcess().newClient();
    driver.open(id, config);
    return new Client(config, driver, id);
  }

  /** A typed client of a service. */
  public <S> S service(String name, Class<S> api, @Nullable CausalMemory memory) {
    CallOptions options =
        new CallOptions(toMachine(config.reads(name)), config.deadline(), memory, null);
    return ServiceClient.proxy(
        api, new ServiceClient<>(this, name, api, ServiceInterface.of(api), options));
  }

  /** A typed client of the same service whose reads ask so many replicas. */
  public <S> S reading(Reads reads, S client) {
    return own(client).with(options -> options.reading(toMachine(reads)));
  }

  /** A typed client of the same service whose calls have this deadline. */
  public <S> S within(Duration deadline, S client) {
    return own(client).with(options -> options.within(deadline));
  }

  /** A typed client of the same service whose updates are named by this key. */
  public <S> S once(String key, S client) {
    return own(client).with(options -> options.once(key));
  }

  /** The one call that {@code call} makes on the typed client it is given; it is not sent. */
  public <S, R> Invocation<R> record(S client, Function<? super S, ? extends @Nullable R> call) {
    return own(client).record(call);
  }

  /**
   * Runs code whose calls on a service count together or not at all.
   *
   * @throws IllegalStateException if the thread runs such code already: this would count by itself,
   *     and again each time that the other one runs again
   */
  public <S, R extends @Nullable Object, X extends Exception> R transaction(
      S client, FrontEnd.Calls<S, R, X> calls) throws X {
    if (IN_TRANSACTION.get()) {
      throw new IllegalStateException(
          "a transaction is begun within the function of another one, and would be no part of it:"
              + " make its calls on the client that this function is given, or begin it once the"
              + " other one has returned");
    }
    IN_TRANSACTION.set(true);
    try {
      return own(client).transaction(calls);
    } finally {
      IN_TRANSACTION.remove();
    }
  }

  /** Makes a request and waits for its outcome. */
  public <R> Outcome<R> request(Invocation<R> invocation) {
    long beganNanos = Flight.nanoTime();
    Outcome<R> outcome =
        request(invocation.submission(), invocation.options().deadline(), invocation);
    return noted(invocation, outcome, beganNanos);
  }

  <R> Outcome<R> request(Submission submission, Duration deadline, Outcomes.Decoder<R> decoder) {
    try {
      Ending ending = driver.request(submission, deadline.toNanos());
      return Outcomes.of(ending, submission.update(), deadline, decoder);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return new Outcome.Unknown<>("Interrupted while waiting for the reply");
    }
  }

  /** Makes a request without waiting; cancelling the future gives it up. */
  public <R> CompletableFuture<Outcome<R>> requestAsync(Invocation<R> invocation) {
    Duration deadline = invocation.options().deadline();
    long beganNanos = Flight.nanoTime();
    CompletableFuture<Outcome<R>> future = new CompletableFuture<>();
    PendingCall call =
        driver.request(
            invocation.submission(),
            deadline.toNanos(),
            config.executor(),
            ending -> complete(future, () -> outcome(invocation, deadline, ending, beganNanos)));
    return givingUpWith(future, call);
  }

  /** Makes requests as one, and waits for their outcomes, in the same order. */
  public List<Outcome<?>> requestAll(Duration deadline, List<Invocation<?>> invocations) {
    if (invocations.isEmpty()) {
      return List.of();
    }
    long beganNanos = Flight.nanoTime();
    Ending.OfParts endings = driver.requestAll(id, invocations, deadline.toNanos());
    return outcomes(invocations, deadline, endings, beganNanos);
  }

  /** As {@link #requestAll} without waiting; cancelling the future gives up what is under way. */
  public <T> CompletableFuture<T> requestAllAsync(
      Duration deadline,
      List<Invocation<?>> invocations,
      Function<? super List<Outcome<?>>, ? extends T> answers) {
    if (invocations.isEmpty()) {
      return CompletableFuture.completedFuture(answers.apply(List.of()));
    }
    long beganNanos = Flight.nanoTime();
    CompletableFuture<T> future = new CompletableFuture<>();
    PendingCall call =
        driver.requestAll(
            invocations,
            deadline.toNanos(),
            config.executor(),
            endings ->
                complete(
                    future,
                    () -> answers.apply(outcomes(invocations, deadline, endings, beganNanos))));
    return givingUpWith(future, call);
  }

  private static List<Outcome<?>> outcomes(
      List<Invocation<?>> invocations, Duration deadline, Ending.OfParts endings, long beganNanos) {
    List<Outcome<?>> outcomes = new ArrayList<>(invocations.size());
    for (int i = 0; i < invocations.size(); i++) {
      outcomes.add(outcome(invocations.get(i), deadline, endings.parts().get(i), beganNanos));
    }
    return List.copyOf(outcomes);
  }

  private static <R> Outcome<R> outcome(
      Invocation<R> invocation, Duration deadline, Ending ending, long beganNanos) {
    Outcome<R> outcome = Outcomes.of(ending, invocation.method().isUpdate(), deadline, invocation);
    return noted(invocation, outcome, beganNanos);
  }

  /**
   * The flight recorder learns of calls that were slow, or whose method was perhaps not executed.
   */
  private static <R> Outcome<R> noted(
      Invocation<R> invocation, Outcome<R> outcome, long beganNanos) {
    String how =
        switch (outcome) {
          case Outcome.Ok<R> ok -> "";
          case Outcome.Threw<R> threw -> "";
          case Outcome.Unable<R> unable -> "unable";
          case Outcome.Unknown<R> unknown -> "unknown";
        };
    Flight.call(invocation.name(), invocation.method().name(), how, beganNanos);
    return outcome;
  }

  static dev.tempest.protocol.frontend.Reads toMachine(Reads reads) {
    return new dev.tempest.protocol.frontend.Reads(reads.replicas(), reads.hedged());
  }

  /** What tools ask as this client. */
  public AdminClient admin() {
    return new AdminClient(config, this);
  }

  /** Names its requests. */
  public long id() {
    return id;
  }

  /** Asks one server. {@code then} runs on the driving thread. */
  void ask(
      String server,
      LongFunction<Message> question,
      LongFunction<Predicate<Message>> isAnswer,
      Duration patience,
      Consumer<Ending> then) {
    driver.ask(id, server, question, isAnswer, patience.toNanos(), then);
  }

  /** Whether it makes no more requests. */
  public boolean isClosed() {
    return closed.get();
  }

  /** Requests under way end as unknown; the last client of a driver closes its sockets. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      driver.close(id);
      Drivers.ofProcess().release(config, driver);
    }
  }

  /** Nobody waits for ever because a class of the result throws an Error when it is made. */
  private static <T> void complete(CompletableFuture<T> future, Supplier<? extends T> value) {
    try {
      future.complete(value.get());
    } catch (RuntimeException | Error failed) {
      future.completeExceptionally(failed);
    }
  }

  /** A future that was completed from outside has no use for the answers any more. */
  private <T> CompletableFuture<T> givingUpWith(CompletableFuture<T> future, PendingCall call) {
    var unused =
        future.whenComplete((value, failure) -> {
          if (failure != null) {
            driver.cancel(id, call);
          }
        });
    return future;
  }

  private <S> ServiceClient<S> own(S client) {
    InvocationHandler behind =
        Proxy.isProxyClass(client.getClass()) ? Proxy.getInvocationHandler(client) : null;
    if (behind instanceof ServiceClient<?> handler && handler.isOf(this)) {
      @SuppressWarnings("unchecked") // The handler of an S was made for the interface S.
      ServiceClient<S> own = (ServiceClient<S>) handler;
      return own;
    }
    throw new IllegalArgumentException(
        switch (behind) {
          case TransactionCalls ofTransaction ->
              "The client of a transaction takes plain calls only: make the call on it itself";
          case ServiceClient<?> ofAnother ->
              NOT_OWN
                  + ": node.frontEnd() opens a new front-end each time: keep it, and call service()"
                  + " and transaction() on the same one";
          case null, default -> NOT_OWN;
        });
  }
}
