package dev.tempest.simulator;

import dev.tempest.state.State;
import java.util.Map;

/** Keeps beside the number what the action gave to the latest update. */
class OlderCountingService implements OlderCounting {
  private final State state;
  private final Runnable work;
  private final Map<String, Long> numbers;

  /**
   * A service.
   *
   * @param work is done by each update
   */
  OlderCountingService(State state, Runnable work) {
    this.state = state;
    this.work = work;
    this.numbers = state.map("numbers", String.class, Long.class);
  }

  @Override
  public long next() {
    work.run();
    numbers.put("millis", state.action().now().toEpochMilli());
    numbers.put("drawn", drawn());
    return numbers.merge("latest", 1L, Long::sum);
  }

  @Override
  public void count() {
    next();
  }

  @Override
  public void refuse() {
    next();
    throw new IllegalStateException("nothing counts");
  }

  @Override
  public long nextBy(long name) {
    long number = next();
    if (numbers.putIfAbsent(key(name), number) != null) {
      throw new IllegalStateException(key(name) + " has counted before");
    }
    return number;
  }

  private static String key(long name) {
    return "by " + name;
  }

  /** Whether somebody who asks by that name has counted in a version of the service. */
  static boolean hasCounted(Map<String, Object> contents, long name) {
    return contents.get("numbers") instanceof Map<?, ?> numbers && numbers.containsKey(key(name));
  }

  long drawn() {
    return state.action().random().nextLong();
  }

  @Override
  public long latest() {
    return numbers.getOrDefault("latest", 0L);
  }
}
