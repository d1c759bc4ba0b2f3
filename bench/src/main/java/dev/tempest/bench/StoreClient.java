package dev.tempest.bench;

import dev.tempest.FrontEnd;
import dev.tempest.FrontEndConfig;
import dev.tempest.UnableException;
import dev.tempest.UnknownOutcomeException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;

/** Callers of a {@link Store} who all write or all read, with a front-end as it comes. */
final class StoreClient implements Program.Answers<LoadPlan, Point> {
  /** Who executed the last write. */
  static final String EXECUTED_BY = "executedBy";

  /** Of a value. */
  static final int BYTES = 64;

  static final int KEYS = 1_024;

  private final Store store;
  private final boolean writes;
  private final byte[] value = new byte[BYTES];
  private volatile int executedBy;

  /** Connects, and puts a value under each key. */
  StoreClient(FrontEndConfig config, String service, boolean writes) {
    this.store = FrontEnd.connect(config).service(service, Store.class);
    this.writes = writes;
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
      if (writes) {
        executedBy = store.put(key, value);
        return true;
      }
      return store.get(key).length == BYTES;
    } catch (UnableException | UnknownOutcomeException unanswered) {
      return false;
    }
  }
}
