package dev.tempest.bench;

import java.io.Serializable;

/**
 * What a caller of a {@link Store} does, again and again.
 *
 * @param reads how many values it gets first
 * @param writes how many it puts then
 * @param isTransaction whether they count together; else each is a request of its own
 */
record StoreWork(int reads, int writes, boolean isTransaction) implements Serializable {
  static final StoreWork READ = new StoreWork(1, 0, false);
  static final StoreWork WRITE = new StoreWork(0, 1, false);

  /** So much of it, as a client is told. */
  record Load(LoadPlan plan, StoreWork work) implements Serializable {}

  int requests() {
    return reads + writes;
  }

  /** The same in a transaction. */
  StoreWork together() {
    return new StoreWork(reads, writes, true);
  }
}
