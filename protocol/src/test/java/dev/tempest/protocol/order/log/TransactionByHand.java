package dev.tempest.protocol.order.log;

import dev.tempest.service.execution.OpenTransaction;
import dev.tempest.service.execution.Result;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.service.execution.Transaction;
import dev.tempest.service.execution.Transaction.Reply;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import java.util.List;
import java.util.Objects;

/** A transaction on {@link Holdings} of one client, which says itself who hears it. */
final class TransactionByHand {
  private static final long CLIENT = 555;
  private static final long READS = 1L << 41;

  private final HoldingsByHand grid;
  private final OpenTransaction open = new OpenTransaction(Transaction.NOT_YET, 0);
  private long reads = READS;
  private long updates;

  TransactionByHand(HoldingsByHand grid) {
    this.grid = grid;
  }

  /** A replica is asked what the next call comes to, and answers after the way there and back. */
  Object ask(long replica, String name, Object... arguments) {
    ServiceMethod method = HoldingsByHand.method(name);
    RequestId id = new RequestId(CLIENT, ++reads);
    Transaction asked = open.asking(method, arguments);
    Call call = new Call(Transaction.ASK_NEAR, asked.encode());
    grid.group.hears(replica, new Message.Read(ReplicasByHand.SERVICE, id, call));
    grid.group.run(1);
    if (!(reply(id) instanceof Reply.Answered answered
        && answered.outcome() instanceof Result.Returned outcome)) {
      return reply(id);
    }
    open.answered(method, asked, answered);
    return Objects.requireNonNullElse(method.decodeResult(outcome.value()), "nothing");
  }

  /** It is to count. */
  RequestId commit(List<Long> heardBy) {
    RequestId id = new RequestId(CLIENT, ++updates);
    commitAgain(id, 0, heardBy);
    return id;
  }

  /** The same is asked for again. */
  void commitAgain(RequestId id, int attempt, List<Long> heardBy) {
    Call call = new Call(Transaction.COMMIT, open.committing().encode());
    Message.Update update =
        new Message.Update(
            ReplicasByHand.SERVICE, id, grid.group.partNow(), call, attempt, 1, updates);
    heardBy.forEach(replica -> grid.group.hears(replica, update));
  }

  /** What was said to that. */
  Reply reply(RequestId id) {
    return replies(id).getFirst();
  }

  /** All that was said to it. */
  List<Reply> replies(RequestId id) {
    return grid.group.replies(id).stream()
        .map(each -> (Answer.Returned) each.answer())
        .map(each -> Transaction.readReply(each.result()))
        .toList();
  }
}
