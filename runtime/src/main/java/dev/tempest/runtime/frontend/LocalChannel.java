package dev.tempest.runtime.frontend;

import dev.tempest.protocol.Address;
import dev.tempest.wire.Message;
import dev.tempest.wire.Versions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * To the replicas of the node in this process, and back: by queues, without the network. For the
 * node it is the address of the one who asks.
 */
public final class LocalChannel implements Channel, Address {
  /** The node. */
  @FunctionalInterface
  public interface Asked {
    /** Takes requests, and answers them by {@link #answer} in its own thread. */
    void ask(LocalChannel from, List<Message> requests);
  }

  private final List<Long> replicas;
  private final Thread answering;
  private final Asked node;
  private List<Message> requests = new ArrayList<>();
  private final Queue<Message> answers = new ConcurrentLinkedQueue<>();
  private final Semaphore arrived = new Semaphore(0);

  /** To a node of this id, which answers in that thread. */
  public LocalChannel(long replica, Thread answering, Asked node) {
    this.replicas = List.of(replica);
    this.answering = answering;
    this.node = node;
  }

  /** The node answers. Any thread may call it. */
  public void answer(Message answer) {
    answers.add(answer);
    wakeup();
  }

  @Override
  public List<Long> replicas() {
    return replicas;
  }

  @Override
  public boolean takeChanged() {
    return false;
  }

  @Override
  public List<Long> takeGone() {
    return List.of();
  }

  @Override
  public List<Long> takeGuesses() {
    return List.of();
  }

  @Override
  public void lookAgain(long nowNanos, Executor driving) {
    // It is in this process, as ever.
  }

  @Override
  public @Nullable String otherVersions() {
    return null; // It runs the same code.
  }

  @Override
  public @Nullable String neverHeard() {
    return null; // It is there.
  }

  @Override
  public Map<String, Versions> takeNotUnderstood() {
    return Map.of();
  }

  @Override
  public void send(long replica, Message message) {
    requests.add(message);
  }

  @Override
  public void send(String server, int attempt, Message message) {
    throw new UnsupportedOperationException("tools use the network");
  }

  @Override
  public void sendToAll(long service, Message message) {
    requests.add(message); // The node sends it on.
  }

  @Override
  public void flush() {
    if (!requests.isEmpty()) {
      node.ask(this, requests);
      requests = new ArrayList<>();
    }
  }

  @Override
  public void await(long nanos) {
    try {
      if (answers.isEmpty() && arrived.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
        arrived.drainPermits();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt(); // Who waits looks for it.
    }
  }

  @Override
  public void wakeup() {
    if (arrived.availablePermits() == 0) {
      arrived.release();
    }
  }

  @Override
  public boolean isAnswering() {
    return Thread.currentThread().equals(answering);
  }

  @Override
  public int receive(int max, Receiver receiver) {
    int count = 0;
    for (Message next; count < max && (next = answers.poll()) != null; count++) {
      receiver.received(next);
    }
    return count;
  }

  @Override
  public void close() {
    // The node stays.
  }
}
