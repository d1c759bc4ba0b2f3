package dev.tempest.cluster;

import dev.tempest.Outcome;
import dev.tempest.cluster.History.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a client does with a service, one operation after the other; it is written down.
 *
 * <p>Used by one thread at a time; any may ask how many succeeded.
 *
 * @param <S> the service's interface
 */
abstract sealed class Workload<S> {
  /** What is added tells which additions make up a sum. */
  private static final int MORE_MAX = 1_000_000_000;

  private final String name;
  private final Access<S> access;
  private final History history;
  final Random random;
  private final AtomicInteger succeeded = new AtomicInteger();
  private int client;

  private Workload(String name, Class<S> api, Services services, History history, Random random) {
    this.name = name;
    this.access = services.access(name, api);
    this.history = history;
    this.random = new Random(random.nextLong());
    this.client = history.newClient();
  }

  /** How a client reaches its service. */
  interface Access<S> {
    /** How a call has ended. */
    <R> Outcome<R> outcome(Function<S, @Nullable R> call);

    /** How several calls have ended that count together or not at all. */
    <R> Outcome<R> transaction(Function<S, R> calls);
  }

  /** Where services are reached. */
  interface Services {
    /** Shorter than most faults: then an update may come to be executed much later, or never. */
    Duration DEADLINE = Duration.ofMillis(700);

    String REGISTERS = "registers";
    String COUNTERS = "counters";
    String QUEUES = "queues";
    String LISTS = "lists";

    /** The way of another client to the service with this name. */
    <S> Access<S> access(String name, Class<S> api);
  }

  /** One of each kind. */
  static List<Workload<?>> ofAllKinds(Services services, History history, Random random) {
    return List.of(
        new OfRegisters(services, history, random),
        new OfCounters(services, history, random),
        new OfQueues(services, history, random),
        new OfLists(services, history, random));
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

  /** If {@link #look} shows only some of what is there: shows, or removes, the rest. */
  void empty(String key) {}

  /** How many of its operations were answered. */
  final int succeeded() {
    return succeeded.get();
  }

  final long newValue() {
    return history.newValue();
  }

  final <R> Outcome<R> update(
      String key, String operation, List<Long> arguments, Function<S, @Nullable R> call) {
    return perform(
        new Operation(name, key, operation, false, arguments), () -> access.outcome(call));
  }

  final <R> Outcome<R> read(String key, String operation, Function<S, @Nullable R> call) {
    return perform(
        new Operation(name, key, operation, true, List.of()), () -> access.outcome(call));
  }

  final <R> Outcome<R> transaction(
      String key, boolean onlyReads, List<Long> arguments, Function<S, R> calls) {
    return perform(
        new Operation(name, key, "transaction", onlyReads, arguments),
        () -> access.transaction(calls));
  }

  private <R> Outcome<R> perform(Operation operation, Supplier<Outcome<R>> performed) {
    long invokedNanos = System.nanoTime();
    history.begin(client, operation, invokedNanos);
    Outcome<R> outcome = performed.get();
    history.end(client, operation, invokedNanos, outcome, System.nanoTime());
    if (outcome instanceof Outcome.Ok<R>) {
      succeeded.incrementAndGet();
    } else {
      client = history.newClient(); // The one before may still be at it.
    }
    return outcome;
  }

  private static final class OfRegisters extends Workload<Registers> {
    /** What it knows last of some register: maybe it is still there. */
    private @Nullable Long known;

    OfRegisters(Services services, History history, Random random) {
      super(Services.REGISTERS, Registers.class, services, history, random);
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
    OfCounters(Services services, History history, Random random) {
      super(Services.COUNTERS, Counters.class, services, history, random);
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

    OfQueues(Services services, History history, Random random) {
      super(Services.QUEUES, Queues.class, services, history, random);
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

  /** Of each key there are a few, which transactions append to and read. */
  private static final class OfLists extends Workload<Lists> {
    private static final int LISTS_MAX = 3;
    private static final int STEPS_MAX = 4;
    private static final long READ = 0;

    /** An element goes into a list, or it is a {@link #READ}. */
    private record Step(long list, long element) {}

    OfLists(Services services, History history, Random random) {
      super(Services.LISTS, Lists.class, services, history, random);
    }

    @Override
    void change(String key) {
      List<Step> steps = new ArrayList<>();
      for (int left = random.nextInt(1, STEPS_MAX + 1); left > 0; left--) {
        steps.add(new Step(random.nextInt(LISTS_MAX), random.nextBoolean() ? READ : newValue()));
      }
      make(key, steps);
    }

    /** The more it reads, the more often others change that before it has ended. */
    @Override
    boolean look(String key) {
      return read(key, random.nextInt(1, LISTS_MAX + 1));
    }

    @Override
    void empty(String key) {
      read(key, LISTS_MAX);
    }

    private boolean read(String key, int lists) {
      return make(key, LongStream.range(0, lists).mapToObj(list -> new Step(list, READ)).toList());
    }

    private boolean make(String key, List<Step> steps) {
      boolean onlyReads = steps.stream().allMatch(step -> step.element == READ);
      List<Long> arguments =
          steps.stream().flatMap(step -> Stream.of(step.list, step.element)).toList();
      return transaction(key, onlyReads, arguments, service -> performed(key, steps, service))
          instanceof Outcome.Ok<?>;
    }

    private static List<@Nullable List<Long>> performed(
        String key, List<Step> steps, Lists service) {
      List<@Nullable List<Long>> results = new ArrayList<>();
      for (Step step : steps) {
        String list = key + "." + step.list;
        if (step.element == READ) {
          results.add(service.read(list));
        } else {
          service.append(list, step.element);
          results.add(null);
        }
      }
      return results;
    }
  }
}
