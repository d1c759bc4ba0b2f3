package dev.tempest.simulator;

import dev.tempest.service.execution.Result;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.service.execution.Transaction;
import dev.tempest.service.execution.Transaction.Reply;
import dev.tempest.service.execution.Transaction.Step;
import dev.tempest.service.execution.Transaction.Told;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** An update that is made in several calls: they look at the number, and take the next one. */
final class CountingTransaction {
  private final List<ServiceMethod> methods;
  private final long seed;
  private final List<Told> told = new ArrayList<>();
  private long beganMillis = Transaction.NOT_YET;
  private long latest;
  private boolean near = true;
  private boolean committed;

  /**
   * Begins.
   *
   * @param methods that are called, in order; the last one gives what the update gives
   */
  CountingTransaction(List<ServiceMethod> methods, long seed) {
    this.methods = methods;
    this.seed = seed;
  }

  /** Whether all that is left is to make it count. */
  boolean commits() {
    return told.size() == methods.size();
  }

  boolean hasCommitted() {
    return committed;
  }

  /** What its last call gave. */
  long value() {
    return latest;
  }

  /** What is to be sent next: an update if it {@link #commits}, else a read. */
  Call call() {
    Step next = commits() ? null : step();
    Bytes whole = new Transaction(beganMillis, seed, told, next).encode();
    int number = near ? Transaction.ASK_NEAR : Transaction.ASK;
    return new Call(next == null ? Transaction.COMMIT : number, whole);
  }

  private Step step() {
    ServiceMethod method = methods.get(told.size());
    return new Step(method.number(), method.encode(new Object[0]));
  }

  /** A server has answered that. */
  void take(Bytes answer) {
    switch (Transaction.readReply(answer)) {
      case Reply.Stale stale -> {
        told.clear();
        beganMillis = Transaction.NOT_YET;
        near = false;
      }
      case Reply.Committed all -> committed = true;
      case Reply.Answered(long millis, Result outcome) -> {
        Result.Returned returned = (Result.Returned) outcome;
        ServiceMethod called = methods.get(told.size());
        latest = (long) Objects.requireNonNull(called.decodeResult(returned.value()));
        told.add(new Told(step(), Transaction.digest(called, outcome)));
        beganMillis = millis;
      }
    }
  }
}
