package dev.tempest.bench;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.UnableException;
import dev.tempest.UnknownOutcomeException;
import java.io.IOException;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * One caller of servers that agree, who kills their leader: only who writes knows when it was
 * killed and when the next write was acknowledged by one clock.
 */
final class KillClient implements Program.Answers<List<Long>, Point> {
  /** So that the leader is known, and all is compiled. */
  private static final int WRITES_BEFORE = 3_000;

  /** Or for so long, if it is known by then: a busy machine takes minutes for them. */
  private static final long BEFORE_MAX_NANOS = 2_000_000_000;

  private static final int WRITES_AFTER_MAX = 1_000;

  private final Writes writes;
  private int failed;

  KillClient(Writes writes) {
    this.writes = writes;
  }

  /** What is written, again and again. */
  @FunctionalInterface
  interface Writes {
    /** Writes; the index of the server that led then, or -1 if it is not acknowledged. */
    int put() throws IOException;
  }

  /** Of a {@link Store} by consensus. */
  static KillClient of(FrontEndConfig config) {
    Store store = FrontEnd.connect(config).service(TempestServer.BY_CONSENSUS, Store.class);
    byte[] value = new byte[StoreClient.BYTES];
    return new KillClient(() -> {
      try {
        return store.put(0, value);
      } catch (UnableException | UnknownOutcomeException unanswered) {
        return -1;
      }
    });
  }

  /**
   * Kills the leader.
   *
   * @param pids of the servers, by their index
   * @return which one was killed, and how long it took until another one had executed a write
   */
  @Override
  public Point answer(List<Long> pids) throws IOException {
    long endNanos = System.nanoTime() + BEFORE_MAX_NANOS;
    int leader = -1;
    for (int write = 0;
        write < WRITES_BEFORE && (leader < 0 || System.nanoTime() - endNanos < 0);
        write++) {
      leader = put();
    }
    if (leader < 0) {
      throw new IOException("no leader executes writes");
    }
    ProcessHandle process = ProcessHandle.of(pids.get(leader)).orElseThrow();
    failed = 0;
    long startNanos = System.nanoTime();
    process.destroyForcibly();
    for (int write = 0; write < WRITES_AFTER_MAX; write++) {
      int by = put();
      if (by >= 0 && by != leader) { // What the old one executed may still be acknowledged.
        Histogram nanos = new Histogram(Point.SIGNIFICANT_DIGITS);
        nanos.recordValue(System.nanoTime() - startNanos);
        return Point.of("killed", leader, "millis", nanos.getMean() / 1e6, "failed", failed)
            .withNanos(nanos);
      }
    }
    throw new IOException("no other server executes writes");
  }

  private int put() throws IOException {
    int by = writes.put();
    failed += by < 0 ? 1 : 0;
    return by;
  }
}
