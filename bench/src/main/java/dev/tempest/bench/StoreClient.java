package dev.tempest.bench;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.UnableException;
import dev.tempest.UnknownOutcomeException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Callers of a {@link Store} who all do the same, with a front-end as it comes. */
final class StoreClient implements Program.Answers<StoreWork.Load, Point> {
  /** Who executed the last write. */
  static final String EXECUTED_BY = "executedBy";

  /** Of a value. */
  static final int BYTES = 64;

  static final int KEYS = 1_024;

  private static final int FILLED_AT_ONCE = 32;
  private static final Duration FILL_MAX = Duration.ofSeconds(30);

  private final FrontEnd frontEnd;
  private final Store store;
  private final byte[] value = new byte[BYTES];
  private volatile int executedBy;

  /** Connects, and puts a value under each key. */
  StoreClient(FrontEndConfig config, String service) {
    this.frontEnd = FrontEnd.connect(config);
    this.store = frontEnd.service(service, Store.class);
    for (int key = 0; key < KEYS; key += FILLED_AT_ONCE) {
      fill(key);
    }
  }

  /** Some at once: one after the other would take minutes where servers are far away. */
  private void fill(int fromKey) {
    var puts =
        IntStream.range(fromKey, fromKey + FILLED_AT_ONCE)
            .mapToObj(key -> frontEnd.request(store, each -> each.put(key, value)))
            .toList();
    if (!frontEnd.all(FILL_MAX, puts).areWhole()) {
      throw new IllegalStateException("the servers do not take what is to be read later");
    }
  }

  /** The same for callers who do nothing else. */
  Program.Answers<LoadPlan, Point> doing(StoreWork work) {
    return plan -> answer(new StoreWork.Load(plan, work));
  }

  @Override
  public Point answer(StoreWork.Load load) throws InterruptedException, ExecutionException {
    Point point = BlockedCallers.run(load.plan(), () -> ask(load.work()));
    return point.with(EXECUTED_BY, executedBy);
  }

  /** The same with changes of that size, of which callers send only how large they are to be. */
  Point change(LoadPlan plan, int bytes) throws InterruptedException, ExecutionException {
    return BlockedCallers.run(
        plan,
        () -> {
          try {
            return store.make(ThreadLocalRandom.current().nextInt(KEYS), bytes) >= 0;
          } catch (UnableException | UnknownOutcomeException unanswered) {
            return false;
          }
        });
  }

  private boolean ask(StoreWork work) {
    int key = ThreadLocalRandom.current().nextInt(KEYS);
    try {
      return work.isTransaction()
          ? frontEnd.transaction(store, all -> ask(all, work, key))
          : ask(store, work, key);
    } catch (UnableException | UnknownOutcomeException unanswered) {
      return false;
    }
  }

  private boolean ask(Store asked, StoreWork work, int firstKey) {
    boolean isAnswered = true;
    for (int i = 0; i < work.requests(); i++) {
      int key = (firstKey + i) % KEYS;
      if (i < work.reads()) {
        isAnswered &= asked.get(key).length == BYTES;
      } else if (work.isTransaction()) {
        asked.set(key, value); // It comes to the same at every server, as it has to there.
      } else {
        executedBy = asked.put(key, value);
      }
    }
    return isAnswered;
  }
}
