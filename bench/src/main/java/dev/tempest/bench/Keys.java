package dev.tempest.bench;

import java.util.SplittableRandom;
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
  private final String[] values =
      IntStream.range(0, VALUES).mapToObj("value-%010d"::formatted).toArray(String[]::new);
  private final String[] batch = new String[BATCH];
  private final String[] batchValues = new String[BATCH];
  private final SplittableRandom random = new SplittableRandom(1);

  Keys(int entries) {
    keys = fresh(entries);
  }

  /** A new string at each call. */
  static String key(int index) {
    String digits = Integer.toString(index);
    return "key-" + "0".repeat(10 - digits.length()) + digits;
  }

  /** All keys of a map, as new strings. */
  static String[] fresh(int entries) {
    return IntStream.range(0, entries).mapToObj(Keys::key).toArray(String[]::new);
  }

  /** The value that a key has at first. */
  String firstValue(int index) {
    return values[index % VALUES];
  }

  /** Random keys, close to the processor and with their hashes in them. */
  String[] nextBatch() {
    int touched = 0;
    for (int index = 0; index < BATCH; index++) {
      String key = keys[random.nextInt(keys.length)];
      touched |= key.hashCode();
      batch[index] = key;
      batchValues[index] = values[random.nextInt(VALUES)];
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
}
