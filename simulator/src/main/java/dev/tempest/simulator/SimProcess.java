package dev.tempest.simulator;

import dev.tempest.protocol.Address;
import dev.tempest.wire.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * One operating-system process: takes one thing after the other, each taking its time; can stop for
 * a while, or lose its memory and start again.
 */
abstract class SimProcess {
  /** What waits to be taken. */
  sealed interface Input {
    record Arrived(int from, Message message) implements Input {}

    record TimerFired() implements Input {}

    record Submitted(Operation operation) implements Input {}

    record Told(SortedMap<Long, Address> view) implements Input {}

    /**
     * Its application writes.
     *
     * @param acks how many replicas are to have it before the application goes on
     * @param patienceMillis for how long it waits for that; 0 for ever
     */
    record Writes(int acks, long patienceMillis) implements Input {}

    /** Its application waits no longer. */
    record EndsWait(long ticket) implements Input {}
  }

  /** As much as a socket's buffer holds; datagrams beyond it are dropped. */
  private static final int INBOX_MAX = 2_000;

  private static final long TIMER_LATE_MAX_NANOS = 200_000;

  /** Whoever takes nothing for so long is taken for gone. */
  private static final long STOPPED_NANOS = 500_000_000;

  /** Below it, what a step sends leaves at once; above, a crash may come before it leaves. */
  private static final long SLOW_STEP_NANOS = 500_000;

  final Cluster cluster;
  final int index;
  final String name;
  final SimClock clock;
  private final ArrayDeque<Input> inbox = new ArrayDeque<>();
  private long stepNanos;
  private long steps;
  private int incarnation = -1;
  private boolean up;
  private boolean pumping;
  private long freeAtNanos;
  private long deafUntilNanos;
  private long timerAtNanos = Long.MAX_VALUE;

  SimProcess(Cluster cluster, int index, String name, SimClock clock, long stepNanos) {
    this.cluster = cluster;
    this.index = index;
    this.name = name;
    this.clock = clock;
    this.stepNanos = stepNanos;
  }

  /** A machine without memory. */
  abstract void create(long clockNanos);

  /** Gives an input to the machine and does what it wants done. */
  abstract void take(Input input, long clockNanos);

  /** When the machine wants to be woken, on its clock. */
  abstract long nextTickNanos();

  /** The number that frames carry. */
  abstract long senderId();

  final boolean isUp() {
    return up;
  }

  /** Whether it does nothing for longer than anybody would wait. */
  final boolean isStopped() {
    return freeAtNanos > cluster.nowNanos() + STOPPED_NANOS;
  }

  /** Whether it does something else, or nothing, for now. */
  final boolean isBusy() {
    return freeAtNanos > cluster.nowNanos() + stepNanos;
  }

  final Incarnation incarnation() {
    return new Incarnation(index, incarnation);
  }

  final long clockNanos() {
    return clock.read(cluster.nowNanos());
  }

  void start() {
    if (up) {
      return;
    }
    up = true;
    incarnation++;
    freeAtNanos = cluster.nowNanos();
    cluster.trace(name, "starts");
    create(clockNanos());
    armTimer();
  }

  /** Loses its memory. */
  void crash() {
    if (!up) {
      return;
    }
    cluster.trace(name, "crashes");
    up = false;
    inbox.clear();
    pumping = false;
    clock.forget();
    deafUntilNanos = 0;
    timerAtNanos = Long.MAX_VALUE;
    cluster.network().down(index);
  }

  /**
   * Stops, keeping its memory.
   *
   * @param deaf whether what arrives meanwhile is lost, or waits
   */
  final void pause(long nanos, boolean deaf) {
    cluster.trace(name, "stops for " + nanos / 1_000_000 + " ms" + (deaf ? ", deaf" : ""));
    freeAtNanos = Math.max(freeAtNanos, cluster.nowNanos() + nanos);
    if (deaf) {
      deafUntilNanos = freeAtNanos;
    }
  }

  /** From now on every step takes so long. */
  final void stepNanos(long nanos) {
    if (nanos != stepNanos) {
      cluster.trace(name, "takes " + nanos / 1_000 + " us a step");
      stepNanos = nanos;
    }
  }

  /** Whatever made it slow or stop is over. */
  final void recover(long normalStepNanos) {
    stepNanos(normalStepNanos);
    freeAtNanos = Math.min(freeAtNanos, cluster.nowNanos());
    deafUntilNanos = 0;
    wake();
  }

  /** A message came in; {@code reliably} if it must not be dropped. */
  final void arrived(int from, Message message, boolean reliably) {
    if (!up) {
      return;
    }
    boolean deaf = cluster.nowNanos() < deafUntilNanos;
    if (!reliably && (deaf || inbox.size() >= INBOX_MAX)) {
      return;
    }
    offer(new Input.Arrived(from, message));
  }

  final void offer(Input input) {
    inbox.addLast(input);
    if (!pumping) {
      wake();
    }
  }

  /** How many inputs wait. */
  final int waiting() {
    return inbox.size();
  }

  private void wake() {
    if (!up || inbox.isEmpty()) {
      return;
    }
    pumping = true;
    int life = incarnation;
    if (cluster.nowNanos() >= freeAtNanos) {
      takeNext();
    } else {
      cluster.at(
          freeAtNanos,
          () -> {
            if (up && life == incarnation && pumping) {
              wake();
            }
          });
    }
  }

  private void takeNext() {
    Input input = inbox.removeFirst();
    long clockNanos = clockNanos();
    boolean early = input instanceof Input.TimerFired && clockNanos < nextTickNanos();
    if (!early) {
      cluster.countStep();
      take(input, clockNanos);
      freeAtNanos = cluster.nowNanos() + stepNanos;
    }
    armTimer();
    pumping = false;
    wake();
  }

  /** Checks now and then what has to hold of its machine after every step. */
  final void checkNowAndThen(Runnable invariants) {
    if (++steps % cluster.parameters().invariantsEverySteps() == 0) {
      try {
        invariants.run();
      } catch (AssertionError broken) {
        throw new Violation.Found(
            Violation.Kind.INVARIANT, name + " says: " + broken.getMessage(), broken);
      }
    }
  }

  private void armTimer() {
    long nextTickNanos = nextTickNanos();
    if (nextTickNanos == Long.MAX_VALUE) {
      return;
    }
    long atNanos = Math.max(clock.virtualNanos(nextTickNanos), cluster.nowNanos() + 1);
    if (atNanos >= timerAtNanos) {
      return;
    }
    timerAtNanos = atNanos;
    int life = incarnation;
    long lateNanos = cluster.random().between(0L, TIMER_LATE_MAX_NANOS);
    cluster.at(
        atNanos + lateNanos,
        () -> {
          if (up && life == incarnation && timerAtNanos == atNanos) {
            timerAtNanos = Long.MAX_VALUE;
            offer(new Input.TimerFired());
          }
        });
  }

  /** What one step wants sent, one frame per receiver. */
  final class Outbox {
    private final Map<Integer, List<Message>> byReceiver = new LinkedHashMap<>();

    void add(int to, Message message) {
      byReceiver.computeIfAbsent(to, receiver -> new ArrayList<>()).add(message);
    }

    void leave() {
      if (byReceiver.isEmpty()) {
        return;
      }
      if (stepNanos < SLOW_STEP_NANOS) {
        send();
        return;
      }
      int life = incarnation;
      cluster.at(
          cluster.nowNanos() + stepNanos,
          () -> {
            if (up && life == incarnation) {
              send();
            }
          });
    }

    private void send() {
      byReceiver.forEach((to, messages) -> cluster.send(SimProcess.this, to, messages));
    }

    /** What it is, for people. */
    String describe() {
      StringBuilder text = new StringBuilder();
      byReceiver.forEach((to, messages) ->
          messages.forEach(message ->
              text.append("\n")
                  .append(" ".repeat(18))
                  .append("to ")
                  .append(cluster.nameOf(to))
                  .append(": ")
                  .append(cluster.names().message(message))));
      return text.toString();
    }
  }
}
