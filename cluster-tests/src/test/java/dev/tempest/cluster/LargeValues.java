package dev.tempest.cluster;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import java.util.Map;

/** A service whose values are much larger than the requests that make them. */
public interface LargeValues {
  /** Makes a value of so many bytes. */
  @Update
  void make(int number, int bytes);

  /** How many values are there, each as it was made of so many bytes. */
  @Read
  int whole(int bytes);

  /** Writes down what anybody could write down again. */
  final class Service implements LargeValues {
    private final Map<Integer, String> values;

    /** There is no value yet. */
    public Service(State state) {
      this.values = state.map("values", Integer.class, String.class);
    }

    @Override
    public void make(int number, int bytes) {
      values.put(number, value(number, bytes));
    }

    @Override
    public int whole(int bytes) {
      return (int)
          values.entrySet().stream()
              .filter(entry -> value(entry.getKey(), bytes).equals(entry.getValue()))
              .count();
    }

    /** No two values have much in common. */
    private static String value(int number, int bytes) {
      String digits = String.valueOf(10_000_000 + number);
      return digits.repeat(bytes / digits.length());
    }
  }
}
