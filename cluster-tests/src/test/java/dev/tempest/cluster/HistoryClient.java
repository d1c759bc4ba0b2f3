package dev.tempest.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process with clients of registers, counters and queues, each in a thread of its own: some read
 * and write wherever they are answered first, the others read at one server. They write down what
 * they do, by the clock of this process.
 */
final class HistoryClient {
  /** So many of each service read and write. */
  private static final int WRITERS = 4;

  /** At any moment, of each service: so clients meet there. */
  private static final int KEYS = 3;

  /**
   * After which clients go on with other keys: the more operations with an unknown outcome there
   * are on a key, the longer it takes to find an order for all.
   */
  private static final long EPOCH_NANOS = TimeUnit.SECONDS.toNanos(4);

  private static final long PAUSE_MILLIS = 3;

  private final History history;
  private final List<Workload<?>> writers = new ArrayList<>();
  private final List<Workload<?>> readers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final long startNanos = System.nanoTime();
  private final AtomicLong latestEpoch = new AtomicLong();
  private List<Integer> mark = List.of();
  private volatile boolean resting;
  private volatile @Nullable RuntimeException failed;

  private HistoryClient(long seed, History history, List<String> servers) {
    this.history = history;
    Random random = new Random(seed);
    for (int number = 0; number < WRITERS; number++) {
      writers.addAll(Workload.ofAllKinds(servers, history, random));
    }
    for (String server : servers) {
      readers.addAll(Workload.ofAllKinds(List.of(server), history, random));
    }
  }

  /**
   * Answers commands.
   *
   * @param arguments a name, a seed, the file for the history, then all servers
   */
  public static void main(String[] arguments) throws Exception {
    List<String> servers = Arrays.asList(arguments).subList(3, arguments.length);
    History history = new History(Path.of(arguments[2]));
    HistoryClient program = new HistoryClient(Long.parseLong(arguments[1]), history, servers);
    Answering.begin(program::perform);
  }

  private String perform(String command) throws IOException, InterruptedException {
    return switch (command) {
      case "begin" -> begin();
      case "mark" -> mark();
      case "least" -> least();
      case "end" -> end();
      default -> throw new IllegalArgumentException("unknown command: " + command);
    };
  }

  private String begin() {
    writers.forEach(writer -> begin(writer, Workload::readOrWrite));
    readers.forEach(reader -> begin(reader, Workload::look));
    return "begun";
  }

  private void begin(Workload<?> workload, BiConsumer<Workload<?>, String> operation) {
    threads.add(Thread.ofPlatform().daemon().start(() -> goOn(workload, operation)));
  }

  private void goOn(Workload<?> workload, BiConsumer<Workload<?>, String> operation) {
    try {
      while (!resting) {
        long epoch = (System.nanoTime() - startNanos) / EPOCH_NANOS;
        latestEpoch.accumulateAndGet(epoch, Math::max);
        operation.accept(workload, key(epoch, workload.random.nextInt(KEYS)));
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failed = e;
    }
  }

  private static String key(long epoch, int number) {
    return epoch + "-" + number;
  }

  /** From now on operations count. */
  private String mark() {
    mark = all().map(Workload::succeeded).toList();
    return "marked";
  }

  /** How many operations of the client with the fewest were answered since then. */
  private String least() {
    RuntimeException why = failed;
    if (why != null) {
      return "failed: " + why;
    }
    List<Integer> now = all().map(Workload::succeeded).toList();
    IntStream more = IntStream.range(0, now.size()).map(i -> now.get(i) - mark.get(i));
    return String.valueOf(more.min().orElse(0));
  }

  /** Lets all clients rest, and has each server asked for everything. */
  private String end() throws IOException, InterruptedException {
    resting = true;
    for (Thread thread : threads) {
      thread.join();
    }
    for (long epoch = 0; epoch <= latestEpoch.get(); epoch++) {
      for (int number = 0; number < KEYS; number++) {
        lookAtAll(key(epoch, number));
      }
    }
    history.close();
    return all().mapToInt(Workload::succeeded).sum() + " operations were answered";
  }

  private void lookAtAll(String key) {
    List<Workload<?>> oneOfEachKind = writers.subList(0, writers.size() / WRITERS);
    oneOfEachKind.forEach(writer -> writer.empty(key));
    for (Workload<?> reader : readers) {
      if (!reader.look(key)) {
        throw new IllegalStateException("no answer any more, though nobody fails");
      }
    }
  }

  private Stream<Workload<?>> all() {
    return Stream.concat(writers.stream(), readers.stream());
  }
}
