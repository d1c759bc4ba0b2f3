package dev.tempest.runtime.node;

import dev.tempest.runtime.LogLimit;
import dev.tempest.runtime.LogLines;
import dev.tempest.runtime.transport.Counters;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.wire.Message;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Makes messages that take long, such as pieces of a state: one after the other in a thread of its
 * own, so that they take at most one core and nobody's request waits for them. Whoever asks again
 * before it has come to that gets one message, and what it asked for last.
 *
 * <p>Owned by the event loop, which sends what is made.
 */
final class MessageMaker implements AutoCloseable {
  private static final System.Logger LOGGER = LogLines.logger(MessageMaker.class);

  private static final int IDLE_SECONDS = 10;

  private record Made(PeerAddress to, Message message) {}

  /** Who asks for one thing at a time. */
  private record Asker(PeerAddress at, Object about) {}

  private final Endpoint endpoint;
  private final ThreadPoolExecutor thread;
  private final Map<Asker, Supplier<? extends Message>> waiting = new ConcurrentHashMap<>();
  private final Queue<Made> made = new ConcurrentLinkedQueue<>();
  private final LogLimit failures = new LogLimit();

  /**
   * Waits for what is to be made.
   *
   * @param what is made, for the name of the thread
   * @param waitingMax whoever asks when so many wait asks again
   */
  MessageMaker(Endpoint endpoint, String what, int waitingMax) {
    this.endpoint = endpoint;
    String name = "tempest-" + endpoint.address().socket().getPort() + "-" + what;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(waitingMax),
            work -> {
              Thread maker = new Thread(work, name);
              maker.setDaemon(true);
              return maker;
            });
    thread.allowCoreThreadTimeOut(true);
  }

  /**
   * Makes a message and sends it some time soon, or never.
   *
   * @param about what asks for one message after the other there
   */
  void make(PeerAddress to, Object about, Supplier<? extends Message> message) {
    Asker asker = new Asker(to, about);
    if (waiting.put(asker, message) != null) {
      return; // Its turn comes.
    }
    try {
      thread.execute(() -> make(asker));
    } catch (RejectedExecutionException full) {
      waiting.remove(asker);
      endpoint.counters().count(Counters.Kind.STREAM_FRAMES_NOT_SENT);
    }
  }

  private void make(Asker asker) {
    try {
      Message message = Objects.requireNonNull(waiting.remove(asker)).get();
      made.add(new Made(asker.at(), message));
      endpoint.wakeup();
    } catch (Throwable failed) {
      if (failures.admits(System.nanoTime())) {
        LOGGER.log(
            Level.WARNING,
            "A message to " + asker.at() + " could not be made. " + LogLimit.OTHERS,
            failed);
      }
    }
  }

  /** Sends what is made. */
  void send() {
    for (Made next = made.poll(); next != null; next = made.poll()) {
      endpoint.send(next.to(), next.message());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
