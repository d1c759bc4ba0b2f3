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
 * Clients of registers, counters and queues in one process, each in a thread of its own: some read
 * and write, the others only read. They write down what they do, by the clock of the machine.
 */
final class HistoryClient implements Answering {
  /** So many of each service read and write, where all clients are in one process. */
  private static final int WRITERS = 4;

  /** At any moment, of each service: so clients meet there. */
  private static final int KEYS = 3;

  /**
   * After which clients go on with other keys: the more operations with an unknown outcome there
   * are on a key, the longer it takes to find an order for all.
   */
  private static final long EPOCH_NANOS = TimeUnit.SECONDS.toNanos(4);

  private static final long PAUSE_MILLIS = 10;

  private final Run run;
  private final History history;
  private final List<Workload<?>> writers = new ArrayList<>();
  private final List<Workload<?>> readers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong latestEpoch = new AtomicLong();
  private List<Integer> mark = List.of();
  private volatile boolean resting;
  private volatile @Nullable RuntimeException failed;

  /**
   * Has yet to begin.
   *
   * @param count how many read and write, of each kind
   * @param all where they do
   * @param each where one of each kind reads
   */
  HistoryClient(Run run, int count, Workload.Services all, List<? extends Workload.Services> each)
      throws IOException {
    this.run = run;
    this.history = new History(run.file, run.process);
    Random random = new Random(run.seed);
    for (int number = 0; number < count; number++) {
      writers.addAll(Workload.ofAllKinds(all, history, random));
    }
    for (Workload.Services services : each) {
      readers.addAll(Workload.ofAllKinds(services, history, random));
    }
  }

  /**
   * What all histories that are checked together have in common, and what not.
   *
   * @param seed of what its clients do
   * @param file for its history
   * @param process a number that only it has
   * @param startNanos when all began, by the clock of this machine
   */
  record Run(long seed, Path file, int process, long startNanos) {
    List<String> arguments() {
      return List.of("" + seed, "" + file, "" + process, "" + startNanos);
    }

    static Run parse(List<String> arguments) {
      return new Run(
          Long.parseLong(arguments.get(0)),
          Path.of(arguments.get(1)),
          Integer.parseInt(arguments.get(2)),
          Long.parseLong(arguments.get(3)));
    }
  }

  /**
   * A process of nothing but clients: some read and write wherever they are answered first, the
   * others read at one server.
   *
   * @param arguments a name, those of a {@link Run}, whether there are those others, then all
   *     servers
   */
  public static void main(String[] arguments) throws Exception {
    List<String> all = Arrays.asList(arguments);
    List<String> servers = all.subList(6, all.size());
    List<String> apart = Boolean.parseBoolean(all.get(5)) ? servers : List.of();
    List<ThroughFrontEnds> each =
        apart.stream().map(server -> new ThroughFrontEnds(List.of(server))).toList();
    Run run = Run.parse(all.subList(1, 5));
    var client = new HistoryClient(run, WRITERS, new ThroughFrontEnds(servers), each);
    Backups backups = new Backups(servers);
    Answering.begin(command ->
        command.equals("backups") ? String.valueOf(backups.follow()) : client.perform(command));
  }

  @Override
  public String perform(String command) throws IOException, InterruptedException {
    return switch (command) {
      case "begin" -> begin();
      case "mark" -> mark();
      case "least" -> least();
      case "rest" -> rest();
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
        long epoch = (System.nanoTime() - run.startNanos) / EPOCH_NANOS;
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

  private String rest() throws InterruptedException {
    resting = true;
    for (Thread thread : threads) {
      thread.join();
    }
    return "resting";
  }

  /** Once all clients rest: has each server asked for everything. */
  private String end() throws IOException {
    for (long epoch = 0; epoch <= latestEpoch.get(); epoch++) {
      for (int number = 0; number < KEYS; number++) {
        lookAtAll(key(epoch, number));
      }
    }
    history.close();
    return String.valueOf(all().mapToInt(Workload::succeeded).sum());
  }

  private void lookAtAll(String key) {
    writers.forEach(writer -> writer.empty(key));
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
