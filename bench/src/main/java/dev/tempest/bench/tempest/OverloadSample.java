package dev.tempest.bench.tempest;

import java.util.ArrayList;
import java.util.List;

/**
 * What a client saw while servers were overloaded.
 *
 * @param victims reads that each asked one of the victims, by the time when they ended
 * @param fastest reads that asked as applications do, by the time when they ended
 * @param updates how the updates ended
 */
public record OverloadSample(Reads victims, Reads fastest, Updates updates) {
  /** How long a bin is. */
  public static final int BIN_MILLIS = 2_000;

  /**
   * How reads ended that had ended within the same two seconds.
   *
   * @param answered how many had a result
   * @param stale how many of these results missed an update that had been acknowledged before the
   *     read began
   * @param unanswered how many had none
   */
  public record Bin(long answered, long stale, long unanswered) {}

  /**
   * Reads of one kind.
   *
   * @param lastStaleMillis when the last stale result came, since the start; 0 if none did
   */
  public record Reads(List<Bin> bins, long lastStaleMillis) {}

  /** How many updates were sent, executed and said to be, refused, and left open. */
  public record Updates(long sent, long acknowledged, long unable, long unknown) {}

  /** As one line of text. */
  public String toLine() {
    return "%s;%s;%d %d %d %d"
        .formatted(
            line(victims),
            line(fastest),
            updates.sent,
            updates.acknowledged,
            updates.unable,
            updates.unknown);
  }

  /** The sample of a line made by {@link #toLine}. */
  public static OverloadSample parse(String line) {
    String[] parts = line.split(";", -1);
    List<Long> updates = numbers(parts[2]);
    return new OverloadSample(
        reads(parts[0]),
        reads(parts[1]),
        new Updates(updates.get(0), updates.get(1), updates.get(2), updates.get(3)));
  }

  private static String line(Reads reads) {
    StringBuilder line = new StringBuilder().append(reads.lastStaleMillis);
    for (Bin bin : reads.bins) {
      line.append(" %d %d %d".formatted(bin.answered, bin.stale, bin.unanswered));
    }
    return line.toString();
  }

  private static Reads reads(String line) {
    List<Long> numbers = numbers(line);
    List<Bin> bins = new ArrayList<>();
    for (int at = 1; at + 2 < numbers.size(); at += 3) {
      bins.add(new Bin(numbers.get(at), numbers.get(at + 1), numbers.get(at + 2)));
    }
    return new Reads(bins, numbers.getFirst());
  }

  private static List<Long> numbers(String words) {
    return List.of(words.split(" ", -1)).stream().map(Long::valueOf).toList();
  }
}
