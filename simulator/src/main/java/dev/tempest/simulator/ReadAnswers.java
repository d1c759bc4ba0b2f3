package dev.tempest.simulator;

import dev.tempest.protocol.Answers;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.Message;
import dev.tempest.wire.RequestId;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one life of a replica is asked to read, and that it answers what its state gives then; but
 * one that gives up entries may do so right after it has answered.
 */
final class ReadAnswers {
  private final String replica;
  private final Map<RequestId, Call> asked = new TreeMap<>();

  ReadAnswers(String replica) {
    this.replica = replica;
  }

  /** A message arrives. */
  void arrives(Message message) {
    switch (message) {
      case Message.Read read -> asked.put(read.id(), read.call());
      case Message.SeenRead seen -> asked.put(seen.read().id(), seen.read().call());
      default -> {}
    }
  }

  /** The replica answers, and has made no other step since. */
  void answers(Message.Reply reply, ServiceInstance service, ReplicaMachine machine) {
    Call call = asked.get(reply.id());
    if (reply.update() || reply.answer() instanceof Answer.Refused || call == null) {
      return;
    }
    Answer gives =
        Answers.of(
            service.read(machine.version(), call.method(), call.arguments(), machine.nowMillis()));
    if (!reply.answer().equals(gives)) {
      throw new Violation.Found(
          new Violation(
              Violation.Kind.WRONG_OUTCOME,
              replica
                  + " answers read "
                  + reply.id()
                  + " "
                  + reply.answer()
                  + ", and its state gives "
                  + gives));
    }
  }
}
