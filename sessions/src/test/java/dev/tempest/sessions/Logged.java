package dev.tempest.sessions;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class logs while a test looks, and nobody else sees. */
final class Logged implements AutoCloseable {
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord news) {
          records.add(news);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  Logged(Class<?> by) {
    logger = Logger.getLogger(by.getName());
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
  }

  List<LogRecord> records() {
    return records;
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
  }
}
