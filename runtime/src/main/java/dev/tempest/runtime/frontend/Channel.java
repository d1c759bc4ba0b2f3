package dev.tempest.runtime.frontend;

import dev.tempest.wire.Message;
import dev.tempest.wire.Versions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * How requests get to replicas, and answers back. Nothing is promised to arrive.
 *
 * <p>One thread at a time calls it, but for {@link #await}, {@link #wakeup} and {@link
 * #isAnswering}.
 */
interface Channel extends AutoCloseable {
  /** Takes answers. */
  @FunctionalInterface
  interface Receiver {
    void received(Message message);
  }

  /** The ids of the replicas, ascending, as far as they are known. */
  List<Long> replicas();

  /** Whether {@link #replicas} have changed since the last call. */
  boolean takeChanged();

  /** Those who were replicas and are none any more, since the last call; not who is renamed. */
  List<Long> takeGone();

  /**
   * Ids that were in {@link #replicas} and have always stood for one that is there under its own
   * id, since the last call.
   */
  List<Long> takeGuesses();

  /**
   * A replica does not answer: it may be elsewhere by now.
   *
   * @param driving runs, in the thread that may change {@link #replicas}, what does
   */
  void lookAgain(long nowNanos, Executor driving);

  /** Which versions of the wire all servers speak, if none understands this process; else null. */
  @Nullable String otherVersions();

  /** Who was asked, and what may be wrong, if no server has ever answered; else null. */
  @Nullable String neverHeard();

  /**
   * The servers that have said since the last call that they do not understand this process, and
   * what they speak; of those with several addresses, the ones that have said so from all of them.
   */
  Map<String, Versions> takeNotUnderstood();

  /** Sends to one replica. */
  void send(long replica, Message message);

  /** Sends to one server; if its name has several addresses, with each attempt to the next. */
  void send(String server, int attempt, Message message);

  /** Sends to all replicas of a service. */
  void sendToAll(long service, Message message);

  /** Lets go what was sent. */
  void flush();

  /** Waits until something has arrived, so many nanoseconds have passed, or {@link #wakeup}. */
  void await(long nanos);

  /** Ends the {@link #await} under way, or the next one at once. Any thread may call it. */
  void wakeup();

  /** Whether the calling thread is the one that answers: it cannot wait for itself. */
  boolean isAnswering();

  /**
   * Hands over what has arrived.
   *
   * @param max how many frames at most of one source
   * @return how many were taken; 0 if nothing is left
   */
  int receive(int max, Receiver receiver);

  @Override
  void close();
}
