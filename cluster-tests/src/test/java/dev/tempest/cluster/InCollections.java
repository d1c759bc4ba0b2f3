package dev.tempest.cluster;

import dev.tempest.Node;
import dev.tempest.Outcome;
import dev.tempest.OverloadedException;
import dev.tempest.UnknownOutcomeException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Registers, counters, queues and lists that are the linearizable collections of a node. */
final class InCollections implements Workload.Services {
  private final Node node;
  private final Map<String, Long> registers;
  private final Map<String, Long> counters;
  private final Map<String, long[]> lists;

  InCollections(Node node) {
    this.node = node;
    this.registers = node.map(REGISTERS, String.class, Long.class);
    this.counters = node.map(COUNTERS, String.class, Long.class);
    this.lists = node.map(LISTS, String.class, long[].class);
  }

  @Override
  public <S> Workload.Access<S> access(String name, Class<S> api) {
    return switch (name) {
      case REGISTERS -> new Access<>(node, api.cast(new OfMap()));
      case COUNTERS -> new Access<>(node, api.cast(new Sums()));
      case QUEUES -> new Access<>(node, api.cast(new Deques()));
      case LISTS -> new Access<>(node, api.cast(new Arrays()));
      default -> throw new IllegalArgumentException(name);
    };
  }

  private record Access<S>(Node node, S service) implements Workload.Access<S> {
    @Override
    public <R> Outcome<R> transaction(Function<S, R> calls) {
      return outcome(service -> node.batch(() -> calls.apply(service)));
    }

    @Override
    public <R> Outcome<R> outcome(Function<S, @Nullable R> call) {
      try {
        return new Outcome.Ok<>(call.apply(service));
      } catch (OverloadedException notWritten) {
        return new Outcome.Unable<>(Outcome.Reason.OVERLOADED, String.valueOf(notWritten));
      } catch (UnknownOutcomeException maybeWritten) {
        return new Outcome.Unknown<>(String.valueOf(maybeWritten));
      }
    }
  }

  private final class OfMap implements Registers {
    @Override
    public @Nullable Long read(String key) {
      return registers.get(key);
    }

    @Override
    public void write(String key, long value) {
      registers.put(key, value);
    }

    @Override
    public boolean cas(String key, long expected, long value) {
      return registers.replace(key, expected, value);
    }
  }

  private final class Sums implements Counters {
    @Override
    public long read(String key) {
      return counters.getOrDefault(key, 0L);
    }

    @Override
    public long add(String key, long more) {
      return counters.merge(key, more, (some, others) -> some + others); // Any function.
    }
  }

  private final class Arrays implements Lists {
    @Override
    public List<Long> read(String list) {
      long[] elements = lists.get(list);
      return elements == null ? List.of() : LongStream.of(elements).boxed().toList();
    }

    @Override
    public void append(String list, long element) {
      lists.compute(list, (same, before) -> Lists.appended(before, element));
    }
  }

  private final class Deques implements Queues {
    @Override
    public @Nullable Long peek(String key) {
      return queue(key).peek();
    }

    @Override
    public void offer(String key, long element) {
      queue(key).add(element);
    }

    @Override
    public @Nullable Long poll(String key) {
      return queue(key).poll();
    }

    private Queue<Long> queue(String key) {
      return node.deque(QUEUES + "-" + key, Long.class);
    }
  }
}
