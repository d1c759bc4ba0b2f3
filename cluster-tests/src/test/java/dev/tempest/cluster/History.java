package dev.tempest.cluster;

import dev.tempest.Outcome;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the clients of one process did and what they were told, in a file for {@link Porcupine}. An
 * update is in it from its beginning, as one with an unknown outcome: the process may be killed.
 *
 * <p>Thread-safe.
 */
final class History implements AutoCloseable {
  /** More than clients, or values, of one process. */
  private static final int OF_ONE_PROCESS = 1_000_000;

  private final BufferedWriter file;
  private final AtomicInteger clients;
  private final AtomicInteger values;

  /**
   * In a file that is new.
   *
   * @param process a number that only this process has
   */
  History(Path file, int process) throws IOException {
    this.file = Files.newBufferedWriter(file);
    this.clients = new AtomicInteger(process * OF_ONE_PROCESS);
    this.values = new AtomicInteger(process * OF_ONE_PROCESS);
  }

  /** A client that nobody else is. */
  int newClient() {
    return clients.incrementAndGet();
  }

  /** A value that nobody else writes. */
  long newValue() {
    return values.incrementAndGet();
  }

  /**
   * One operation.
   *
   * @param isRead whether it changes nothing
   */
  record Operation(String service, String key, String name, boolean isRead, List<Long> arguments) {}

  /**
   * Adds an operation that begins.
   *
   * @param client of which this is the only operation at the time
   * @param invokedNanos of the clock of this machine, as all times are
   */
  void begin(int client, Operation operation, long invokedNanos) {
    if (!operation.isRead()) {
      write(client, operation, "\"returned\":\"unknown\"", invokedNanos);
    }
  }

  /** Adds how an operation has ended that was begun at that time. */
  void end(
      int client,
      Operation operation,
      long invokedNanos,
      Outcome<? extends @Nullable Object> outcome,
      long returnedNanos) {
    switch (outcome) {
      case Outcome.Ok<?>(Object value) ->
          write(
              client,
              operation,
              "\"result\":%s,\"returned\":%d".formatted(value, returnedNanos),
              invokedNanos);
      case Outcome.Unknown<?> unknown -> {} // As it began.
      case Outcome.Unable<?> unable -> {
        if (!operation.isRead()) {
          write(client, operation, "\"returned\":\"never\"", invokedNanos);
        }
      }
      case Outcome.Threw<?> threw -> throw new IllegalStateException(threw.what());
    }
  }

  private void write(int client, Operation operation, String end, long invokedNanos) {
    String arguments =
        operation.arguments().stream().map(String::valueOf).collect(Collectors.joining(","));
    write(
        "{\"service\":\"%s\",\"key\":\"%s\",\"client\":%d,\"operation\":\"%s\",\"arguments\":[%s],\"invoked\":%d,%s}"
            .formatted(
                operation.service(),
                operation.key(),
                client,
                operation.name(),
                arguments,
                invokedNanos,
                end));
  }

  /** It is in the file then, whatever becomes of this process. */
  private synchronized void write(String line) {
    try {
      file.write(line);
      file.newLine();
      file.flush();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    file.close();
  }
}
