package dev.tempest.protocol.order.log;

import dev.tempest.protocol.order.Order.ByConsensus.Reads;
import dev.tempest.service.execution.Transaction;
import dev.tempest.wire.Seen;
import dev.tempest.wire.SeenByLog;

/** What reads have to show, and whether that is known here. */
final class Shown {
  private final Reads shown;
  private final Executor executor;

  Shown(Reads shown, Executor executor) {
    this.shown = shown;
    this.executor = executor;
  }

  /** Whether a read shows what it has to without asking others. */
  boolean isKnownHere(QuorumReads.Waiting read) {
    return switch (read) {
      case QuorumReads.Asked asked -> isKnownHere(asked);
      case QuorumReads.Polled polled -> shown == Reads.SESSION || shown == Reads.STALE;
      case QuorumReads.Own own -> false;
    };
  }

  private boolean isKnownHere(QuorumReads.Asked asked) {
    int method = asked.read().call().method();
    if (method == Transaction.ASK_NEAR || method == Transaction.ASK) {
      return method == Transaction.ASK_NEAR;
    }
    return switch (shown) {
      case LINEARIZABLE, LEASE, LOCAL -> false;
      case SESSION ->
          switch (asked.seen()) { // Null if the client does not say.
            case null -> true;
            case Seen.Nothing nothing -> true;
            case SeenByLog(long slot) -> slot <= executor.state().point().slot();
            case Seen ofAnotherOrder -> false;
          };
      case STALE -> true;
    };
  }
}
