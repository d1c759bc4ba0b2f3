package dev.tempest.runtime.node;

import dev.tempest.runtime.transport.Counters;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.wire.Message;
import java.lang.System.Logger.Level;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Makes messages that take long, such as pieces of a state, and sends them: one after the other,
 * away from the event loop, so that they take at most one core and nobody's request waits for them.
 *
 * <p>Thread-safe.
 */
final class MessageMaker implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(MessageMaker.class.getName());

  /** Whoever asks when so many wait asks again. */
  private static final int WAITING_MAX = 64;

  private static final int IDLE_SECONDS = 10;

  private final Endpoint endpoint;
  private final ThreadPoolExecutor thread;
  private final LogLimit failures = new LogLimit();

  /** One that has a thread of this name while there is something to do. */
  MessageMaker(Endpoint endpoint, String name) {
    this.endpoint = endpoint;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_MAX),
            work -> {
              Thread made = new Thread(work, name);
              made.setDaemon(true);
              return made;
            },
            (work, full) -> endpoint.counters().count(Counters.Kind.STREAM_FRAMES_NOT_SENT));
    thread.allowCoreThreadTimeOut(true);
  }

  /** Makes and sends a message some time soon, or never. */
  void make(PeerAddress to, Supplier<? extends Message> message) {
    thread.execute(() -> {
      try {
        endpoint.sendByStream(to, message.get());
      } catch (RuntimeException | Error failed) {
        if (failures.admits(System.nanoTime())) {
          LOGGER.log(
              Level.WARNING, "A message to " + to + " could not be made. " + LogLimit.OTHERS, failed);
        }
      }
    });
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
