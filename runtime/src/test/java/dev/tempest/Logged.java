package dev.tempest;

import dev.tempest.runtime.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What Tempest logs until it is closed. */
final class Logged extends Handler implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Logger logger = Logger.getLogger("dev.tempest");
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  Logged() {
    logger.addHandler(this);
  }

  /** Until now. */
  List<LogRecord> records() {
    LogLines.flush(PATIENCE);
    return records;
  }

  boolean says(String text) {
    return texts().stream().anyMatch(each -> each.contains(text));
  }

  List<String> texts() {
    SimpleFormatter formatter = new SimpleFormatter();
    return records().stream().map(formatter::formatMessage).toList();
  }

  @Override
  public void publish(LogRecord each) {
    records.add(each);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
