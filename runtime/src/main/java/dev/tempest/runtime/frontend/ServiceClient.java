package dev.tempest.runtime.frontend;

import dev.tempest.FrontEnd;
import dev.tempest.Outcome;
import dev.tempest.UnableException;
import dev.tempest.protocol.NameHash;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.service.execution.Transaction;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What is behind a typed client: makes a request of each call. Thread-safe. */
final class ServiceClient<S> implements InvocationHandler {
  /** A transaction that begins again waits for up to twice as long, and then twice as long... */
  private static final long PAUSE_NANOS = 200_000;

  private static final int PAUSE_DOUBLINGS_MAX = 8;

  private final Client client;
  private final String name;
  private final long service;
  private final Class<S> api;
  private final ServiceInterface methods;
  private final CallOptions options;

  ServiceClient(
      Client client, String name, Class<S> api, ServiceInterface methods, CallOptions options) {
    this.client = client;
    this.name = name;
    this.service = NameHash.of(name);
    this.api = api;
    this.methods = methods;
    this.options = options;
  }

  /** A client of the same service that makes its calls otherwise. */
  S with(UnaryOperator<CallOptions> change) {
    return proxy(api, new ServiceClient<>(client, name, api, methods, change.apply(options)));
  }

  boolean isOf(Client candidate) {
    return candidate.equals(client);
  }

  /** A typed client of {@code api} whose calls {@code handler} takes. */
  static <S> S proxy(Class<S> api, InvocationHandler handler) {
    return api.cast(Proxy.newProxyInstance(api.getClassLoader(), new Class<?>[] {api}, handler));
  }

  @Override
  public @Nullable Object invoke(
      Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    ServiceMethod called = methods.method(method);
    if (called == null) {
      return invokeLocally(proxy, method, arguments);
    }
    Outcome<Object> outcome = client.request(invocation(called, arguments));
    if (outcome instanceof Outcome.Threw<Object>(String className, String message)) {
      Throwable declared = called.exceptions().remake(className, message);
      if (declared != null) {
        throw declared;
      }
    }
    return outcome.orThrow();
  }

  /** The one call that {@code code} makes on the client it is given; it is not sent. */
  <R> Invocation<R> record(Function<? super S, ? extends @Nullable R> code) {
    Recorder recorder = new Recorder();
    R ignored = code.apply(proxy(api, recorder)); // The result comes later.
    Invocation<?> made = recorder.made;
    if (made == null) {
      throw new IllegalArgumentException(
          "No call was made: make exactly one call on the client that you are given");
    }
    return new Invocation<>(
        made.client(), made.name(), made.service(), made.method(), made.call(), made.options());
  }

  /**
   * Runs code whose calls count together or not at all, until nobody else has changed meanwhile
   * what they were told.
   */
  <R extends @Nullable Object, X extends Exception> R transaction(FrontEnd.Calls<S, R, X> code)
      throws X {
    TransactionTime time = new TransactionTime(options.deadline(), System.nanoTime());
    InTransaction requests = new InTransaction(time);
    Exception last = null;
    TransactionCalls calls = TransactionCalls.first(requests, newSeed());
    for (int tries = 0; tries == 0 || time.allowsAnother(System.nanoTime()); tries++) {
      pause(tries);
      time.run();
      calls = tries == 0 ? calls : calls.again(newSeed());
      boolean returned = false;
      try {
        R result = code.on(proxy(api, calls));
        returned = true;
        if (!calls.isStale() && calls.commit()) {
          return result;
        }
      } catch (Exception thrown) {
        boolean runsAgain = !returned && (calls.isStale() || calls.isUnsure());
        if (!runsAgain || thrown instanceof InterruptedException || isInterrupted()) {
          throw thrown;
        }
        last = thrown;
      } finally {
        calls.end();
      }
    }
    throw requests.over(last);
  }

  private static long newSeed() {
    return ThreadLocalRandom.current().nextLong();
  }

  private static boolean isInterrupted() {
    return Thread.currentThread().isInterrupted();
  }

  /** Those that meet again and again come apart. */
  private static void pause(int tries) {
    if (tries > 1) {
      long longest = PAUSE_NANOS << Math.min(tries, PAUSE_DOUBLINGS_MAX);
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longest));
    }
  }

  /** The requests of a transaction. */
  private final class InTransaction implements TransactionCalls.Requests {
    private final TransactionTime time;

    InTransaction(TransactionTime time) {
      this.time = time;
    }

    /**
     * It has no time any more.
     *
     * @param last what its function threw last; null if nothing
     */
    UnableException over(@Nullable Exception last) {
      UnableException over = new UnableException(Outcome.Reason.ABORTED, time.over());
      if (last != null) {
        over.initCause(last);
      }
      return over;
    }

    @Override
    public <T> Outcome<T> request(boolean update, Call call, Outcomes.Decoder<T> decoder) {
      long nowNanos = System.nanoTime();
      time.asks(nowNanos, update);
      Duration left = time.left(nowNanos);
      if (!left.isPositive()) {
        throw over(null);
      }
      // What any server has may be older than what the chain has seen.
      CausalMemory memory = call.method() == Transaction.ASK_NEAR ? null : options.memory();
      Outcome<T> outcome =
          client.request(
              new Submission(client.id(), service, update, call, options.reads(), memory),
              left,
              explained(decoder));
      time.answered(System.nanoTime());
      return outcome instanceof Outcome.Unknown<T>(String detail) && time.isOver(System.nanoTime())
          ? new Outcome.Unknown<>(time.over(detail, left))
          : outcome;
    }

    /** In the words of a plain call. */
    private <T> Outcomes.Decoder<T> explained(Outcomes.Decoder<T> decoder) {
      return new Outcomes.Decoder<>() {
        @Override
        public @Nullable T decode(Bytes result) {
          return decoder.decode(result);
        }

        @Override
        public String explain(Answer.Refused refused) {
          return Invocation.explain(refused, name);
        }
      };
    }

    @Override
    public @Nullable Object invokeLocally(
        Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
      return ServiceClient.this.invokeLocally(proxy, method, arguments);
    }

    @Override
    public @Nullable ServiceMethod method(Method method) {
      return methods.method(method);
    }
  }

  private Invocation<Object> invocation(
      ServiceMethod method, @Nullable Object @Nullable [] arguments) {
    return new Invocation<>(
        client.id(),
        name,
        service,
        method,
        new Call(method.number(), method.encode(arguments)),
        options);
  }

  /** Methods of Object, and default methods that are no part of the service. */
  @SuppressWarnings("ReferenceEquality") // A client equals itself only.
  private @Nullable Object invokeLocally(
      Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    if (method.isDefault()) {
      return InvocationHandler.invokeDefault(proxy, method, arguments);
    }
    return switch (method.getName()) {
      case "equals" -> arguments != null && proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> "client of " + api.getSimpleName();
    };
  }

  private final class Recorder implements InvocationHandler {
    private @Nullable Invocation<?> made;

    @Override
    public @Nullable Object invoke(
        Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
      ServiceMethod called = methods.method(method);
      if (called == null) {
        return invokeLocally(proxy, method, arguments);
      }
      if (made != null) {
        throw new IllegalArgumentException(
            "A second call was made: make exactly one call on the client that you are given");
      }
      made = invocation(called, arguments);
      return nothing(called.resultType());
    }

    /** What a proxy may return for a type: zero or false for primitives. */
    private static @Nullable Object nothing(Class<?> type) {
      return type.isPrimitive() && type != void.class
          ? Array.get(Array.newInstance(type, 1), 0)
          : null;
    }
  }
}
