package dev.tempest;

import dev.tempest.protocol.NameHash;
import dev.tempest.protocol.frontend.Reads;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.service.ServiceInterface;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.Description;
import dev.tempest.wire.Message.MethodDescription;
import dev.tempest.wire.Message.Snapshot;
import dev.tempest.wire.Message.Status;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Calls services; it is not a member of the cluster. One per process is enough, thousands cost
 * little: those with the same cluster, servers and multicast port share their sockets, and no
 * thread belongs to one of them.
 *
 * <p>A request is sent again under the same name until it is answered or the deadline has passed,
 * and is executed once however often it was sent.
 *
 * <p>Thread-safe.
 */
public final class FrontEnd implements AutoCloseable {

  private static final Duration TOOL_PATIENCE = Duration.ofSeconds(1);

  private final FrontEndConfig config;
  private final Driver driver;
  private final long client;
  private final AtomicBoolean closed = new AtomicBoolean();

  private FrontEnd(FrontEndConfig config, Driver driver, long client) {
    this.config = config;
    this.driver = driver;
    this.client = client;
  }

  /**
   * Opens a front-end, on the sockets of others that are open in this process if they are of the
   * same place. Nothing is sent yet: the servers may start later.
   *
   * @throws UncheckedIOException if no socket can be opened
   * @throws IllegalArgumentException if a server is not {@code host:port} of a known host
   */
  public static FrontEnd connect(FrontEndConfig config) {
    Driver driver = Drivers.ofProcess().take(config);
    long client = Drivers.ofProcess().newClient();
    driver.open(client, config);
    return new FrontEnd(config, driver, client);
  }

  /** A client of the service that is named as {@code api}'s simple name. */
  public <S> S service(Class<S> api) {
    return service(api.getSimpleName(), api);
  }

  /**
   * A client of a service: each call on it is a request, and returns what the service's method
   * returned.
   *
   * <p>A call throws {@link ServiceException} if the method threw, {@link UnableException} if it
   * was not executed, {@link UnknownOutcomeException} if that is not known. An interrupted caller
   * stops waiting: its thread stays interrupted and the outcome is unknown.
   *
   * @param api an interface whose methods are marked {@link dev.tempest.service.Update} or {@link
   *     dev.tempest.service.Read}
   * @throws IllegalArgumentException if it is no such interface, saying what is missing
   */
  public <S> S service(String name, Class<S> api) {
    return service(name, api, null);
  }

  <S> S service(String name, Class<S> api, @Nullable Session session) {
    return proxy(
        api,
        new ServiceClient<>(
            this, NameHash.of(name), api, ServiceInterface.of(api), config.readsOf(name), session));
  }

  /** Requests that see what earlier ones of them have seen; so far that is nothing. */
  public Session session() {
    return session(Handle.NOTHING);
  }

  /** Requests that see what has been seen with the handle, and what earlier ones of them see. */
  public Session session(Handle handle) {
    return new Session(this, handle);
  }

  /**
   * A client of the same service whose reads ask so many replicas, in place of what the
   * configuration says: {@code frontEnd.reading(Reads.of(3), cart).check("17850", "85123A")}.
   *
   * @param client a client that {@link #service} returned
   */
  public <S> S reading(Reads reads, S client) {
    return own(client).reading(reads);
  }

  /**
   * Makes one call and returns how it ended in place of throwing.
   *
   * @param client a client that {@link #service} returned
   * @param call makes exactly one call on the client it is given and returns the result: {@code
   *     cart -> cart.check("17850", "85123A")}
   * @throws IllegalArgumentException if it makes none or more than one, or an argument is not as
   *     declared
   */
  public <S, R> Outcome<R> outcome(S client, Function<? super S, ? extends @Nullable R> call) {
    Invocation<R> invocation = record(client, call);
    return request(invocation);
  }

  /**
   * Makes one call without waiting for it. The future never completes exceptionally by itself;
   * cancelling it gives the request up, which may or may not have been executed then.
   *
   * <p>What depends on the future runs on the thread that received the answer, which may be one
   * that waits for an answer of its own: it must not block, for nothing else is received meanwhile.
   *
   * @param client a client that {@link #service} returned
   * @param call as for {@link #outcome}
   * @throws IllegalArgumentException as for {@link #outcome}
   */
  public <S, R> CompletableFuture<Outcome<R>> async(
      S client, Function<? super S, ? extends @Nullable R> call) {
    Invocation<R> invocation = record(client, call);
    CompletableFuture<Outcome<R>> future = new CompletableFuture<>();
    Asker asker =
        driver.request(
            invocation.asked(),
            config.deadline().toNanos(),
            ending -> future.complete(Outcomes.of(ending, invocation)));
    return givingUpWith(future, asker);
  }

  /**
   * A call as a value, for {@link #all}; it is not sent.
   *
   * @param client a client that {@link #service} returned
   * @param call as for {@link #outcome}
   * @throws IllegalArgumentException as for {@link #outcome}
   */
  public <S, R> Request<R> request(S client, Function<? super S, ? extends @Nullable R> call) {
    return new Request<>(this, record(client, call));
  }

  /** As {@link #all(Duration, List)}. */
  public Answers all(Duration deadline, Request<?>... requests) {
    return all(deadline, List.of(requests));
  }

  /**
   * Makes requests to any number of services at once, and waits until each has been answered, at
   * most until the deadline. What has been answered by then is there; the rest is given up, as
   * {@link Outcome.Unknown}.
   *
   * <p>Each is a request like any other: executed once, in no order among them, and whether one is
   * executed says nothing about the others. If the caller is interrupted, what is under way is
   * given up, and the thread stays interrupted.
   *
   * @param deadline for all of them together, from 1 ms to {@link FrontEndConfig#DEADLINE_MAX}
   * @param requests that this front-end's {@link #request} made, each at most once
   * @throws IllegalArgumentException if the deadline or a request is not such
   */
  public Answers all(Duration deadline, List<? extends Request<?>> requests) {
    FrontEndConfig.requireDeadline(deadline);
    Composite composite = Composite.of(this, requests);
    return composite.isEmpty()
        ? composite.answers(new Ending.OfParts(List.of()))
        : composite.answers(driver.requestAll(client, composite.invocations(), deadline.toNanos()));
  }

  /** As {@link #allAsync(Duration, List)}. */
  public CompletableFuture<Answers> allAsync(Duration deadline, Request<?>... requests) {
    return allAsync(deadline, List.of(requests));
  }

  /**
   * As {@link #all(Duration, List)}, without waiting. The future never completes exceptionally by
   * itself; what depends on it runs as for {@link #async}. Cancelling it gives up what is under
   * way: that is not sent again, and may or may not have been executed.
   *
   * @throws IllegalArgumentException as for {@link #all(Duration, List)}
   */
  public CompletableFuture<Answers> allAsync(
      Duration deadline, List<? extends Request<?>> requests) {
    FrontEndConfig.requireDeadline(deadline);
    Composite composite = Composite.of(this, requests);
    CompletableFuture<Answers> future = new CompletableFuture<>();
    if (composite.isEmpty()) {
      future.complete(composite.answers(new Ending.OfParts(List.of())));
      return future;
    }
    Asker asker =
        driver.requestAll(
            composite.invocations(),
            deadline.toNanos(),
            endings -> future.complete(composite.answers(endings)));
    return givingUpWith(future, asker);
  }

  /**
   * Calls a method known only by its description, for tools.
   *
   * @param arguments of the types that the description declares
   * @throws IllegalArgumentException if they are of other types
   * @throws dev.tempest.values.UnsupportedTypeException if a declared type is not known here
   */
  public Outcome<Object> call(
      String service, MethodDescription method, @Nullable Object... arguments) {
    DescribedMethod described = new DescribedMethod(method);
    Call call = new Call(method.number(), described.encode(arguments));
    Asked asked =
        new Asked(
            client, NameHash.of(service), method.update(), call, config.readsOf(service), null);
    return request(asked, described::decodeResult);
  }

  /**
   * The methods of a service, from the first server that hosts it; a description without methods,
   * listing what is hosted, if none does.
   *
   * @throws UnknownOutcomeException if no server answers soon
   */
  public Description describe(String service) {
    Map<String, Message> answers =
        askAll(
            token -> new Message.DescribeRequest(token, service),
            token -> message -> message instanceof Description d && d.token() == token);
    Description best = null;
    for (Message answer : answers.values()) {
      if (answer instanceof Description description && (best == null || best.methods().isEmpty())) {
        best = description;
      }
    }
    if (best == null) {
      throw new UnknownOutcomeException("none of " + config.servers() + " answers: are they up?");
    }
    return best;
  }

  /**
   * How each server is, in the order of the configuration; without those that do not answer within
   * a second, or within the deadline if it is shorter.
   */
  public Map<String, Status> status() {
    Map<String, Status> all = new LinkedHashMap<>();
    askAll(
            Message.StatusRequest::new,
            token -> message -> message instanceof Status status && status.token() == token)
        .forEach((server, answer) -> all.put(server, (Status) answer));
    return all;
  }

  /**
   * The whole state of a service at one server, for tools that compare.
   *
   * @param server one of the configuration's, as {@code host:port}
   * @throws UnknownOutcomeException if it does not answer before the deadline
   * @throws UnableException if it has no state
   */
  public Snapshot state(String service, String server) {
    PeerAddress address = driver.servers().byName().get(server);
    if (address == null) {
      throw new IllegalArgumentException(server + " is none of the servers " + config.servers());
    }
    long hash = NameHash.of(service);
    long replica = NameHash.of(server);
    Ending ending =
        join(
            ask(
                address,
                token -> new Message.StateRequest(hash, client),
                token ->
                    message ->
                        message instanceof Message.ReplicaMessage reply
                            && reply.service() == hash
                            && reply.replica() == replica,
                config.deadline()),
            config.deadline());
    return switch (ending) {
      case Ending.OfQuestion(Message.StateTransfer transfer) -> transfer.snapshot();
      case Ending.OfQuestion(Message other) ->
          throw new UnableException(Answer.Reason.JOINING, server + " has no state of " + service);
      default ->
          throw new UnknownOutcomeException(
              server + " does not answer: is it up, and does it host " + service + "?");
    };
  }

  /** Requests under way end as unknown; the last front-end of a place closes the sockets. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      driver.close(client);
      Drivers.ofProcess().release(config, driver);
    }
  }

  /** Names its requests. */
  long client() {
    return client;
  }

  /** Makes a request and waits. */
  <R> Outcome<R> request(Invocation<R> invocation) {
    return request(invocation.asked(), invocation);
  }

  private <R> Outcome<R> request(Asked asked, Outcomes.Decoder<R> decoder) {
    try {
      Ending ending = driver.request(asked, config.deadline().toNanos());
      return Outcomes.of(ending, decoder);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return new Outcome.Unknown<>("interrupted while waiting for an answer");
    }
  }

  /** A future that was completed from outside has no use for the answers any more. */
  private <T> CompletableFuture<T> givingUpWith(CompletableFuture<T> future, Asker asker) {
    var unused =
        future.whenComplete((value, failure) -> {
          if (failure != null) {
            driver.cancel(client, asker);
          }
        });
    return future;
  }

  private <S, R> Invocation<R> record(S client, Function<? super S, ? extends @Nullable R> call) {
    return own(client).record(call);
  }

  private <S> ServiceClient<S> own(S client) {
    if (Proxy.isProxyClass(client.getClass())
        && Proxy.getInvocationHandler(client) instanceof ServiceClient<?> handler
        && handler.isOf(this)) {
      @SuppressWarnings("unchecked") // The handler of an S was made for the interface S.
      ServiceClient<S> own = (ServiceClient<S>) handler;
      return own;
    }
    throw new IllegalArgumentException("not a client that this front-end's service() returned");
  }

  static <S> S proxy(Class<S> api, InvocationHandler handler) {
    return api.cast(Proxy.newProxyInstance(api.getClassLoader(), new Class<?>[] {api}, handler));
  }

  private Map<String, Message> askAll(
      LongFunction<Message> question, LongFunction<Predicate<Message>> isAnswer) {
    Duration patience =
        config.deadline().compareTo(TOOL_PATIENCE) < 0 ? config.deadline() : TOOL_PATIENCE;
    Map<String, CompletableFuture<Ending>> asked = new LinkedHashMap<>();
    driver
        .servers()
        .byName()
        .forEach(
            (server, address) -> asked.put(server, ask(address, question, isAnswer, patience)));
    Map<String, Message> answers = new LinkedHashMap<>();
    asked.forEach((server, future) -> {
      if (join(future, patience) instanceof Ending.OfQuestion(Message answer)) {
        answers.put(server, answer);
      }
    });
    return answers;
  }

  private CompletableFuture<Ending> ask(
      PeerAddress server,
      LongFunction<Message> question,
      LongFunction<Predicate<Message>> isAnswer,
      Duration patience) {
    CompletableFuture<Ending> future = new CompletableFuture<>();
    driver.ask(client, server, question, isAnswer, patience.toNanos(), future::complete);
    return future;
  }

  private static Ending join(CompletableFuture<Ending> future, Duration patience) {
    try {
      // Longer than the question itself waits, which ends by itself unless nobody can drive.
      return future.get(2 * patience.toMillis() + 1_000, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return new Ending.Silence();
    } catch (TimeoutException late) {
      return new Ending.Silence();
    } catch (ExecutionException impossible) {
      throw new AssertionError("completed by value only", impossible);
    }
  }
}
