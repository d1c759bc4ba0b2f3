package dev.tempest.bench;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.UnableException;
import dev.tempest.UnknownOutcomeException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;

/** Callers of a {@link Store} who all do the same, with a front-end as it comes. */
final class StoreClient implements Program.Answers<LoadPlan, Point> {
  /** Who executed the last write. */
  static final String EXECUTED_BY = "executedBy";

  /** Of a value. */
  static final int BYTES = 64;

  static final int KEYS = 1_024;

  /** How many writes a transaction has. */
  static final int TRANSACTION = 5;

  /** What they do. */
  enum Work {
    WRITE,
    READ,
    /** Several writes that count together. */
    TRANSACT
  }

  private final FrontEnd frontEnd;
  private final Store store;
  private final Work work;
  private final byte[] value = new byte[BYTES];
  private volatile int executedBy;

  /** Connects, and puts a value under each key. */
  StoreClient(FrontEndConfig config, String service, Work work) {
    this.frontEnd = FrontEnd.connect(config);
    this.store = frontEnd.service(service, Store.class);
    this.work = work;
    for (int key = 0; key < KEYS; key++) {
      executedBy = store.put(key, value);
    }
  }

  @Override
  public Point answer(LoadPlan plan) throws InterruptedException, ExecutionException {
    Point point = BlockedCallers.run(plan, this::ask);
    return point.with(EXECUTED_BY, executedBy);
  }

  private boolean ask() {
    int key = ThreadLocalRandom.current().nextInt(KEYS);
    try {
      return switch (work) {
        case WRITE -> {
          executedBy = store.put(key, value);
          yield true;
        }
        case READ -> store.get(key).length == BYTES;
        case TRANSACT -> frontEnd.transaction(store, all -> setSeveral(all, key));
      };
    } catch (UnableException | UnknownOutcomeException unanswered) {
      return false;
    }
  }

  private boolean setSeveral(Store all, int key) {
    for (int i = 0; i < TRANSACTION; i++) {
      all.set((key + i) % KEYS, value);
    }
    return true;
  }
}
