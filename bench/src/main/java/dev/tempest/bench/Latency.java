package dev.tempest.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** How long messages take, each whatever the others do, in milliseconds. */
sealed interface Latency {
  /** The part of all that take no longer. */
  double within(double millis);

  /** What a part of all do not exceed: 0 is the shortest one, 1 is none. */
  double quantile(double part);

  /**
   * Most take little more than the least, and some very much: the less the shape, the longer.
   *
   * @param shape above 1
   * @param leastMillis what none falls below
   */
  record Pareto(double shape, double leastMillis) implements Latency {
    @Override
    public double within(double millis) {
      return millis <= leastMillis ? 0 : 1 - Math.pow(leastMillis / millis, shape);
    }

    @Override
    public double quantile(double part) {
      return leastMillis / Math.pow(1 - part, 1 / shape);
    }
  }

  /**
   * Those that were measured.
   *
   * @param sorted at least one, the shortest first
   */
  record Measured(List<Double> sorted) implements Latency {
    /**
     * Reads a file with one number in each line; empty lines, and those that begin with #, are left
     * out.
     *
     * @throws IOException if it cannot be read, or has something else in it; says where
     */
    static Measured read(Path file) throws IOException {
      List<Double> all = new ArrayList<>();
      List<String> lines = Files.readAllLines(file, ISO_8859_1); // Any bytes are some text.
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i).strip();
        if (!line.isEmpty() && !line.startsWith("#")) {
          all.add(millis(line, file + " line " + (i + 1)));
        }
      }
      if (all.isEmpty()) {
        throw new IOException(file + " has no numbers");
      }
      Collections.sort(all);
      return new Measured(List.copyOf(all));
    }

    private static double millis(String text, String where) throws IOException {
      try {
        double millis = Double.parseDouble(text);
        if (millis >= 0 && millis < Double.POSITIVE_INFINITY) {
          return millis;
        }
      } catch (NumberFormatException noNumber) {
        // As one that is none.
      }
      throw new IOException("%s: '%s' is not a number of milliseconds".formatted(where, text));
    }

    @Override
    public double within(double millis) {
      int low = 0;
      int high = sorted.size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (sorted.get(middle) <= millis) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return (double) low / sorted.size();
    }

    @Override
    public double quantile(double part) {
      return sorted.get(Math.min(sorted.size() - 1, (int) (part * sorted.size())));
    }
  }
}
