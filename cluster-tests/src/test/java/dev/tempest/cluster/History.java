package dev.tempest.cluster;

import dev.tempest.Outcome;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What clients did and what they were told, in a file for {@link Porcupine}. What was not executed
 * for certain is not in it, nor a read without an answer.
 *
 * <p>Thread-safe.
 */
final class History implements AutoCloseable {
  private final BufferedWriter file;

  /** In a file that is new. */
  History(Path file) throws IOException {
    this.file = Files.newBufferedWriter(file);
  }

  /**
   * One operation.
   *
   * @param isRead whether it changes nothing
   */
  record Operation(String service, String key, String name, boolean isRead, List<Long> arguments) {}

  /**
   * Adds an operation that has ended.
   *
   * @param client of which this is the only operation at the time
   * @param invokedNanos of the same clock as the other
   */
  void add(
      int client,
      Operation operation,
      long invokedNanos,
      Outcome<? extends @Nullable Object> outcome,
      long returnedNanos) {
    switch (outcome) {
      case Outcome.Ok<?>(Object value) ->
          write(
              "%s,\"result\":%s,\"invoked\":%d,\"returned\":%d}"
                  .formatted(begin(client, operation), value, invokedNanos, returnedNanos));
      case Outcome.Unknown<?> unknown -> {
        if (!operation.isRead()) {
          write(
              "%s,\"invoked\":%d,\"returned\":\"unknown\"}"
                  .formatted(begin(client, operation), invokedNanos));
        }
      }
      case Outcome.Unable<?> unable -> {}
      case Outcome.Threw<?> threw -> throw new IllegalStateException(threw.what());
    }
  }

  private static String begin(int client, Operation operation) {
    String arguments =
        operation.arguments().stream().map(String::valueOf).collect(Collectors.joining(","));
    return "{\"service\":\"%s\",\"key\":\"%s\",\"client\":%d,\"operation\":\"%s\",\"arguments\":[%s]"
        .formatted(operation.service(), operation.key(), client, operation.name(), arguments);
  }

  private synchronized void write(String line) {
    try {
      file.write(line);
      file.newLine();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    file.close();
  }
}
