package dev.tempest;

import dev.tempest.runtime.frontend.CausalMemory;
import dev.tempest.runtime.frontend.Client;
import dev.tempest.runtime.frontend.Invocation;
import dev.tempest.service.execution.ServiceInterface;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls services, without being a member of the cluster. One per process is enough, but thousands
 * cost little: those with the same cluster, servers and multicast port share their sockets.
 *
 * <p>A request is sent again under the same id until it is answered or its deadline has passed. It
 * is executed once, however often it was sent.
 *
 * <p>Thread-safe.
 */
public final class FrontEnd implements AutoCloseable {
  /** The most characters of a key of {@link #once}. */
  public static final int KEY_MAX = 255;

  /**
   * How long {@link #once} holds: half of the time for which servers remember a client at least,
   * since the request may take as long as any deadline.
   */
  public static final Duration ONCE_FOR = Duration.ofMinutes(5);

  private final Client own;

  FrontEnd(Client own) {
    this.own = own;
  }

  /**
   * Opens a front-end. Nothing is sent yet: the servers may start later.
   *
   * @throws UncheckedIOException if no socket can be opened
   * @throws IllegalArgumentException if a server is not {@code host:port} of a known host
   */
  public static FrontEnd connect(FrontEndConfig config) {
    return new FrontEnd(Client.connect(config));
  }

  /**
   * A client of the service with the default name of {@code api}: {@code shopping-cart} for {@code
   * ShoppingCart}, see {@link dev.tempest.service.ServiceName}.
   *
   * @throws IllegalArgumentException as for {@link #service(String, Class)}
   */
  public <S> S service(Class<S> api) {
    return service(ServiceInterface.of(api).defaultName(), api);
  }

  /**
   * A client of a service: each call on it is a request, and returns what the service's method
   * returned.
   *
   * <p>If the method threw, a call throws the same exception if the interface declares it and it
   * can be made from a message, else {@link ServiceException}. A call throws {@link
   * UnableException} if the method was not executed, and {@link UnknownOutcomeException} if it may
   * or may not have been. A caller that is interrupted stops waiting: its thread stays interrupted,
   * and the outcome is unknown.
   *
   * @param api an interface whose methods are marked {@link dev.tempest.service.Update} or {@link
   *     dev.tempest.service.Read}
   * @throws IllegalArgumentException if it is not such an interface, saying what is missing
   */
  public <S> S service(String name, Class<S> api) {
    return service(name, api, null);
  }

  <S> S service(String name, Class<S> api, @Nullable CausalMemory memory) {
    return own.service(name, api, memory);
  }

  /** Begins a chain of requests: each sees what the earlier ones have seen. */
  public CausalChain causal() {
    return causal(Handle.NOTHING);
  }

  /** As {@link #causal()}; the first request already sees what the handle's chain has seen. */
  public CausalChain causal(Handle handle) {
    return new CausalChain(this, handle);
  }

  /**
   * A client of the same service whose reads override the configured number of replicas: {@code
   * frontEnd.reading(Reads.of(3), cart).check("17850", "85123A")}.
   *
   * @param client a client that {@link #service} returned
   */
  public <S> S reading(Reads reads, S client) {
    return own.reading(reads, client);
  }

  /**
   * A client of the same service whose calls override the configured deadline: {@code
   * frontEnd.within(Duration.ofMillis(200), cart).add("17850", "85123A", 1)}. The deadline applies
   * to {@link #outcome} and {@link #async} too; {@link #all} has one of its own.
   *
   * @param deadline from 1 ms to {@link FrontEndConfig#DEADLINE_MAX}
   * @param client a client that {@link #service} returned
   * @throws IllegalArgumentException if the deadline is out of range or the client is another one
   */
  public <S> S within(Duration deadline, S client) {
    FrontEndConfig.requireDeadline(deadline);
    return own.within(deadline, client);
  }

  /**
   * A client of the same service whose updates are executed once under a key: {@code
   * frontEnd.once("order-4711", cart).add("17850", "85123A", 1)}. Whoever makes the same call under
   * the same key, at any front-end, in any process, makes the same request: it is executed once,
   * and all get its answer. So a program that has crashed can repeat what it may have asked for.
   * Another method or other arguments under the same key are another request. Reads ignore the key.
   *
   * <p>This holds for {@link #ONCE_FOR} after the first answer. Each key takes room for a client at
   * the servers, who remember about 100,000 in 10 minutes for each service: further ones end as
   * {@link Outcome.Reason#OVERLOADED}.
   *
   * @param key from 1 to {@link #KEY_MAX} characters
   * @param client a client that {@link #service} returned; not for {@link #transaction}, which
   *     ignores the key
   * @throws IllegalArgumentException if the key is too long or empty, or the client is another one
   */
  public <S> S once(String key, S client) {
    if (key.isEmpty() || key.length() > KEY_MAX) {
      throw new IllegalArgumentException(
          "a key has 1 to " + KEY_MAX + " characters, not " + key.length());
    }
    return own.once(key, client);
  }

  /**
   * Makes one call, and returns how it ended instead of throwing.
   *
   * @param client a client that {@link #service} returned
   * @param call makes exactly one call on the client it is given and returns the result: {@code
   *     cart -> cart.check("17850", "85123A")}
   * @throws IllegalArgumentException if it makes none or more than one, or an argument is not as
   *     declared
   */
  public <S, R> Outcome<R> outcome(S client, Function<? super S, ? extends @Nullable R> call) {
    Invocation<R> invocation = own.record(client, call);
    return own.request(invocation);
  }

  /**
   * Makes the call of a request, and returns how it ended instead of throwing.
   *
   * @param request that this front-end's {@link #request} made
   * @throws IllegalArgumentException if another front-end made it
   */
  public <R> Outcome<R> outcome(Request<R> request) {
    return own.request(own(request));
  }

  /**
   * Makes one call without waiting for it. The future completes exceptionally only with an {@link
   * Error} that a class of the result throws when it is made. Cancelling it abandons the request,
   * which may or may not have been executed.
   *
   * <p>The future completes on the executor of the {@link FrontEndConfig}, by default a virtual
   * thread of its own: dependent stages may take their time, and may make calls that wait.
   *
   * @param client a client that {@link #service} returned
   * @param call as for {@link #outcome}
   * @throws IllegalArgumentException as for {@link #outcome}
   */
  public <S, R> CompletableFuture<Outcome<R>> async(
      S client, Function<? super S, ? extends @Nullable R> call) {
    Invocation<R> invocation = own.record(client, call);
    return own.requestAsync(invocation);
  }

  /**
   * A call as a value, for {@link #all} and {@link #outcome(Request)}; it is not sent.
   *
   * @param client a client that {@link #service} returned
   * @param call as for {@link #outcome}
   * @throws IllegalArgumentException as for {@link #outcome}
   */
  public <S, R> Request<R> request(S client, Function<? super S, ? extends @Nullable R> call) {
    return new Request<>(own.record(client, call));
  }

  /**
   * The calls of a transaction.
   *
   * @param <S> the service interface
   * @param <R> what they come to
   * @param <X> what they may throw
   */
  @FunctionalInterface
  public interface Calls<S, R extends @Nullable Object, X extends Exception> {
    /** Makes them on the client that is given; only these are part of the transaction. */
    R on(S service) throws X;
  }

  /**
   * Makes several calls on a service that count together or not at all, and returns what {@code
   * calls} does:
   *
   * <pre>{@code
   * int left = frontEnd.transaction(bank, b -> {
   *   b.deposit("bob", 5);
   *   return b.withdraw("alice", 5);
   * });
   * }</pre>
   *
   * <p>Each call returns at once and sees what those before it wrote; nobody else sees any of that
   * before {@code calls} has returned. Then all count, as if they had run at that moment with
   * nothing in between: transactions are strictly serializable, among each other and with single
   * requests. If others have changed meanwhile what a call came to, {@code calls} runs again, from
   * the beginning: what it does besides may happen several times. If it throws, nothing is written;
   * an exception may make it run once more, to be sure that it rests on nothing old. A call that
   * throws has written nothing; {@code calls} may catch that, and go on. A call that returns
   * nothing is not waited for at first, as long as the arguments of all calls have no more than 4
   * MiB; if it throws, {@code calls} runs again, and is told there.
   *
   * <p>Transactions do not nest. Calls that {@code calls} makes on other clients are no part of it:
   * each counts by itself at once, and again each time that {@code calls} runs again.
   *
   * <p>The service has to be ordered by consensus, and its methods to be deterministic: the servers
   * run them again, with the time at which the first one was answered, which may be up to 5 s off
   * by then, and the same random numbers. A transaction makes at most 256 calls. Its deadline is
   * that of the client, for all of it. (Zhang, chapter VI, T-Paxos; here no server keeps anything
   * between the calls.)
   *
   * @param client a client that {@link #service} returned; the one that {@code calls} is given is
   *     only for plain calls by the same thread until it returns
   * @throws UnableException if nothing was written; with {@link Outcome.Reason#ABORTED}, try again
   * @throws UnknownOutcomeException if it may or may not have been written
   * @throws ServiceException if what was written is too large, or cannot be encoded; nothing was
   *     written
   * @throws dev.tempest.values.TooLargeException if the arguments of all calls exceed 16 MiB
   * @throws IllegalStateException if it is begun by a thread that executes {@code calls} of another
   *     one, of any front-end; from a call that is made by another thread, or later, or is one too
   *     many
   */
  public <S, R extends @Nullable Object, X extends Exception> R transaction(
      S client, Calls<S, R, X> calls) throws X {
    return own.transaction(client, calls);
  }

  /** As {@link #all(Duration, List)}. */
  public Answers all(Duration deadline, Request<?>... requests) {
    return all(deadline, List.of(requests));
  }

  /**
   * Makes requests to any number of services at once, and waits until each has been answered or the
   * deadline has passed. Requests without an answer by then are abandoned and end as {@link
   * Outcome.Unknown}.
   *
   * <p>Each is executed once, in no order among them, and independently of the others. If the
   * caller is interrupted, requests under way are abandoned, and the thread stays interrupted.
   *
   * @param deadline for all of them together, from 1 ms to {@link FrontEndConfig#DEADLINE_MAX}
   * @param requests that this front-end's {@link #request} made, each at most once
   * @throws IllegalArgumentException if the deadline is out of range, or a request is given twice
   *     or comes from another front-end
   */
  public Answers all(Duration deadline, List<? extends Request<?>> requests) {
    FrontEndConfig.requireDeadline(deadline);
    return new Answers(requests, own.requestAll(deadline, invocations(requests)));
  }

  /** As {@link #allAsync(Duration, List)}. */
  public CompletableFuture<Answers> allAsync(Duration deadline, Request<?>... requests) {
    return allAsync(deadline, List.of(requests));
  }

  /**
   * As {@link #all(Duration, List)}, without waiting. The future completes as for {@link #async}.
   * Cancelling it abandons the requests under way: they are not sent again, and may or may not have
   * been executed.
   *
   * @throws IllegalArgumentException as for {@link #all(Duration, List)}
   */
  public CompletableFuture<Answers> allAsync(
      Duration deadline, List<? extends Request<?>> requests) {
    FrontEndConfig.requireDeadline(deadline);
    return own.requestAllAsync(
        deadline, invocations(requests), outcomes -> new Answers(requests, outcomes));
  }

  /** Refuses a request that another front-end made, and one that is given twice. */
  private List<Invocation<?>> invocations(List<? extends Request<?>> requests) {
    List<Invocation<?>> invocations = new ArrayList<>(requests.size());
    Set<Request<?>> given = new HashSet<>();
    for (Request<?> request : requests) {
      Invocation<?> invocation = own(request);
      if (!given.add(request)) {
        throw new IllegalArgumentException(
            request + " is given twice: make one request for each call");
      }
      invocations.add(invocation);
    }
    return invocations;
  }

  private <R> Invocation<R> own(Request<R> request) {
    if (request.invocation().client() != own.id()) {
      throw new IllegalArgumentException(
          request + " was made by another front-end: make it with request() of this one");
    }
    return request.invocation();
  }

  /** Ends requests under way as unknown; the last front-end of a cluster closes the sockets. */
  @Override
  public void close() {
    own.close();
  }
}
