package dev.tempest.cluster;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.Outcome;
import dev.tempest.cluster.History.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a client does with a service, one operation after the other; it is written down.
 *
 * <p>Used by one thread at a time; any may ask how many succeeded.
 *
 * @param <S> the service's interface
 */
abstract sealed class Workload<S> {
  /** Shorter than most faults: then an update may come to be executed much later, or never. */
  private static final Duration DEADLINE = Duration.ofMillis(700);

  /** What is added tells which additions make up a sum. */
  private static final int MORE_MAX = 1_000_000_000;

  private static final AtomicInteger CLIENTS = new AtomicInteger();

  /** No two are the same. */
  private static final AtomicLong VALUES = new AtomicLong();

  private final String name;
  private final FrontEnd frontEnd;
  private final S service;
  private final History history;
  final Random random;
  private final AtomicInteger succeeded = new AtomicInteger();
  private int client = CLIENTS.getAndIncrement();

  private Workload(
      String name, Class<S> api, List<String> servers, History history, Random random) {
    this.name = name;
    this.frontEnd = FrontEnd.connect(FrontEndConfig.builder(servers).deadline(DEADLINE).build());
    this.service = frontEnd.service(name, api);
    this.history = history;
    this.random = new Random(random.nextLong());
  }

  /** One of each kind. */
  static List<Workload<?>> ofAllKinds(List<String> servers, History history, Random random) {
    return List.of(
        new OfRegisters(servers, history, random),
        new OfCounters(servers, history, random),
        new OfQueues(servers, history, random));
  }

  /** Does either. */
  final void readOrWrite(String key) {
    if (random.nextBoolean()) {
      look(key);
    } else {
      change(key);
    }
  }

  /** Updates what is there. */
  abstract void change(String key);

  /** Reads what is there; whether that was answered. */
  abstract boolean look(String key);

  /** If a read shows only some of what is there: removes the rest. */
  void empty(String key) {}

  /** How many of its operations were answered. */
  final int succeeded() {
    return succeeded.get();
  }

  final long newValue() {
    return VALUES.incrementAndGet();
  }

  final <R> Outcome<R> update(
      String key, String operation, List<Long> arguments, Function<S, @Nullable R> call) {
    return perform(new Operation(name, key, operation, false, arguments), call);
  }

  final <R> Outcome<R> read(String key, String operation, Function<S, @Nullable R> call) {
    return perform(new Operation(name, key, operation, true, List.of()), call);
  }

  private <R> Outcome<R> perform(Operation operation, Function<S, @Nullable R> call) {
    long invokedNanos = System.nanoTime();
    Outcome<R> outcome = frontEnd.outcome(service, call);
    history.add(client, operation, invokedNanos, outcome, System.nanoTime());
    if (outcome instanceof Outcome.Ok<R>) {
      succeeded.incrementAndGet();
    } else {
      client = CLIENTS.getAndIncrement(); // The one before may still be at it.
    }
    return outcome;
  }

  private static final class OfRegisters extends Workload<Registers> {
    /** What it knows last of some register: maybe it is still there. */
    private @Nullable Long known;

    OfRegisters(List<String> servers, History history, Random random) {
      super(ConsensusServer.REGISTERS, Registers.class, servers, history, random);
    }

    @Override
    void change(String key) {
      long value = newValue();
      Long expected = known;
      known = value;
      if (expected == null || random.nextBoolean()) {
        update(
            key,
            "write",
            List.of(value),
            service -> {
              service.write(key, value);
              return null;
            });
      } else {
        update(key, "cas", List.of(expected, value), service -> service.cas(key, expected, value));
      }
    }

    @Override
    boolean look(String key) {
      Outcome<Long> outcome = read(key, "read", service -> service.read(key));
      known = outcome.orElse(null);
      return outcome instanceof Outcome.Ok<Long>;
    }
  }

  private static final class OfCounters extends Workload<Counters> {
    OfCounters(List<String> servers, History history, Random random) {
      super(ConsensusServer.COUNTERS, Counters.class, servers, history, random);
    }

    @Override
    void change(String key) {
      long more = 1L + random.nextInt(MORE_MAX);
      update(key, "add", List.of(more), service -> service.add(key, more));
    }

    @Override
    boolean look(String key) {
      return read(key, "read", service -> service.read(key)) instanceof Outcome.Ok<Long>;
    }
  }

  private static final class OfQueues extends Workload<Queues> {
    /** Queues are short: the order of elements that came together is seen when they go. */
    private static final int POLL_PERCENT = 60;

    OfQueues(List<String> servers, History history, Random random) {
      super(ConsensusServer.QUEUES, Queues.class, servers, history, random);
    }

    @Override
    void change(String key) {
      long element = newValue();
      if (random.nextInt(100) < POLL_PERCENT) {
        poll(key);
      } else {
        update(
            key,
            "offer",
            List.of(element),
            service -> {
              service.offer(key, element);
              return null;
            });
      }
    }

    private @Nullable Long poll(String key) {
      Outcome<Long> outcome = update(key, "poll", List.of(), service -> service.poll(key));
      return outcome.orElse(null);
    }

    @Override
    void empty(String key) {
      Long element = poll(key);
      while (element != null) {
        element = poll(key);
      }
    }

    @Override
    boolean look(String key) {
      return read(key, "peek", service -> service.peek(key)) instanceof Outcome.Ok<Long>;
    }
  }
}
