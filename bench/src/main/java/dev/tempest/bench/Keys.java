package dev.tempest.bench;

import java.util.stream.IntStream;

/**
 * The keys and values of a map, the same in every process.
 *
 * <p>Keys come in the order of a pseudo-random sequence. They are equal to those in the map and not
 * the same objects, as keys are that come from a request. Owned by one thread.
 */
final class Keys {
  /** Keys are fetched from memory before a batch of them is timed. */
  static final int BATCH = 256;

  /** How many keys stand for the whole map where it is compared. */
  private static final int SAMPLE_MAX = 1_000;

  private static final int VALUES = 1_024;

  private final String[] keys;
  private final String[] values = new String[VALUES];
  private final String[] batch = new String[BATCH];
  private final String[] batchValues = new String[BATCH];
  private long random = 0x9E3779B97F4A7C15L;

  Keys(int entries) {
    keys = IntStream.range(0, entries).mapToObj(Keys::key).toArray(String[]::new);
    for (int index = 0; index < VALUES; index++) {
      values[index] = "value-%010d".formatted(index);
    }
  }

  int size() {
    return keys.length;
  }

  /** A new string at each call. */
  static String key(int index) {
    String digits = Integer.toString(index);
    return "key-" + "0".repeat(10 - digits.length()) + digits;
  }

  /** All keys, as new strings. */
  String[] fresh() {
    return IntStream.range(0, keys.length).mapToObj(Keys::key).toArray(String[]::new);
  }

  /** The value that a key has at first. */
  String firstValue(int index) {
    return values[index % VALUES];
  }

  /** Random keys, close to the processor and with their hashes in them. */
  String[] nextBatch() {
    int touched = 0;
    for (int index = 0; index < BATCH; index++) {
      String key = keys[next(keys.length)];
      touched |= key.hashCode();
      batch[index] = key;
      batchValues[index] = values[next(VALUES)];
    }
    if (touched == 0) {
      throw new AssertionError("no key has a hash");
    }
    return batch;
  }

  /** A value for each key of the last batch. */
  String[] valuesOfBatch() {
    return batchValues;
  }

  /** Some keys all over the map; of a small one all. */
  String[] sample() {
    int size = Math.min(keys.length, SAMPLE_MAX);
    String[] sample = new String[size];
    for (int index = 0; index < size; index++) {
      sample[index] = keys[(int) ((long) index * keys.length / size)];
    }
    return sample;
  }

  private int next(int bound) {
    random ^= random << 13;
    random ^= random >>> 7;
    random ^= random << 17;
    return (int) (((random >>> 32) * bound) >>> 32);
  }
}
