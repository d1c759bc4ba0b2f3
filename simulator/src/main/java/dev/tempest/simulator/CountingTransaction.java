package dev.tempest.simulator;

import dev.tempest.service.execution.OpenTransaction;
import dev.tempest.service.execution.Result;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.service.execution.Transaction;
import dev.tempest.service.execution.Transaction.Reply;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Call;
import java.util.List;

/** An update that is made in several calls, such as to look at the number and take the next one. */
final class CountingTransaction {
  private final List<ServiceMethod> methods;
  private final long seed;
  private OpenTransaction open;
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
    this.open = new OpenTransaction(Transaction.NOT_YET, seed);
    assume();
  }

  /** Does not ask for what returns nothing. */
  private void assume() {
    boolean goesOn = near;
    while (goesOn && !commits() && called().resultType() == void.class) {
      goesOn = open.assume(called());
    }
  }

  private ServiceMethod called() {
    return methods.get(open.size());
  }

  /** Whether all that is left is to make it count. */
  boolean commits() {
    return open.size() == methods.size();
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
    if (commits()) {
      return new Call(Transaction.COMMIT, open.committing().encode());
    }
    return new Call(near ? Transaction.ASK_NEAR : Transaction.ASK, asking().encode());
  }

  private Transaction asking() {
    return open.asking(called());
  }

  /** A server has answered that. */
  void take(Bytes answer) {
    switch (Transaction.readReply(answer)) {
      case Reply.Stale(long millis) -> {
        open = new OpenTransaction(millis, seed);
        near = false;
      }
      case Reply.Committed all -> committed = true;
      case Reply.Answered answered -> {
        if (answered.outcome() instanceof Result.Returned(var value)
            && called().decodeResult(value) instanceof Long number) {
          latest = number;
        }
        open.answered(called(), asking(), answered);
        assume();
      }
    }
  }
}
