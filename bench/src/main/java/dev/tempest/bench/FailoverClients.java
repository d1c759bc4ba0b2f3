package dev.tempest.bench;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.UnableException;
import dev.tempest.UnknownOutcomeException;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Clients of a service with a primary, who kill it and all ask for something at that moment: so all
 * of them wait for the next one.
 */
final class FailoverClients implements Program.Answers<FailoverClients.Kill, Point> {
  /** Names of fields: the index of the server, and milliseconds. */
  static final String KILLED = "killed";

  static final String CALM = "calmMillis";
  static final String FIRST = "firstMillis";
  static final String HALF = "halfMillis";
  static final String LAST = "lastMillis";
  static final String TELLING = "tellingMillis";

  /** So that all is compiled, and each client knows who answers. */
  private static final int WRITES_BEFORE = 20;

  private static final int ATTEMPTS_MAX = 100;

  private final List<Store> stores = new ArrayList<>();
  private final byte[] value = new byte[StoreClient.BYTES];

  /**
   * What to do.
   *
   * @param pids of the servers, by their index
   * @param clients how many of the clients take part
   */
  record Kill(List<Long> pids, int clients) implements Serializable {
    Kill {
      pids = new ArrayList<>(pids); // Others cannot always be sent.
    }
  }

  /** Connects so many. */
  FailoverClients(FrontEndConfig config, int clients) {
    for (int client = 0; client < clients; client++) {
      stores.add(FrontEnd.connect(config).service(TempestServer.BY_PRIMARY, Store.class));
    }
  }

  @Override
  public Point answer(Kill kill) throws IOException, InterruptedException, ExecutionException {
    int primary = stores.getFirst().put(0, value);
    for (int write = 1; write < WRITES_BEFORE; write++) {
      var _ = untilAnswered(kill.clients(), -1, System.nanoTime());
    }
    long[] calm = untilAnswered(kill.clients(), -1, System.nanoTime());
    ProcessHandle process = ProcessHandle.of(kill.pids().get(primary)).orElseThrow();
    long killedNanos = System.nanoTime();
    process.destroyForcibly();
    long[] answered = untilAnswered(kill.clients(), primary, killedNanos);
    double first = answered[0] / 1e6;
    double last = answered[answered.length - 1] / 1e6;
    return Point.of(
        "clients",
        kill.clients(),
        KILLED,
        primary,
        CALM,
        calm[calm.length - 1] / 1e6,
        FIRST,
        first,
        HALF,
        answered[answered.length / 2] / 1e6,
        LAST,
        last,
        TELLING,
        last - first);
  }

  /** When each had an answer of somebody else than this server: nanoseconds, sorted. */
  private long[] untilAnswered(int clients, int gone, long sinceNanos)
      throws InterruptedException, ExecutionException {
    List<Callable<Long>> asking = new ArrayList<>();
    for (int client = 0; client < clients; client++) {
      int key = client;
      asking.add(() -> untilAnswered(stores.get(key), key, gone) - sinceNanos);
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      long[] nanos = new long[clients];
      int at = 0;
      for (Future<Long> each : threads.invokeAll(asking)) {
        nanos[at++] = each.get();
      }
      Arrays.sort(nanos);
      return nanos;
    }
  }

  private long untilAnswered(Store store, int key, int gone) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      try {
        // What the one that is gone has executed may still be acknowledged.
        if (store.put(key, value) != gone) {
          return System.nanoTime();
        }
      } catch (UnableException | UnknownOutcomeException unanswered) {
        // It asks again, as an application would.
      }
    }
    throw new IOException("no other server executes writes");
  }
}
