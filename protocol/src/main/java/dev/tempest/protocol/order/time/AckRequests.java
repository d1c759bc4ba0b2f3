package dev.tempest.protocol.order.time;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.View;
import dev.tempest.wire.IntervalSet;
import dev.tempest.wire.Message.Ack;
import dev.tempest.wire.Message.AckRequest;
import dev.tempest.wire.Message.ClientIds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Answers who asks whether their writes are here: at once for those that are, and for the others
 * when they come. Remembers for each replica what it lacks of all that was asked.
 */
final class AckRequests {
  private final ReplicaSettings settings;
  private final View view;
  private final SessionGuarantees guarantees;

  /** What is lacking here of that, by who asked: of one incarnation, and so of one client. */
  private final Map<Long, ClientIds> lacking = new LinkedHashMap<>(0);

  AckRequests(ReplicaSettings settings, View view, SessionGuarantees guarantees) {
    this.settings = settings;
    this.view = view;
    this.guarantees = guarantees;
  }

  void take(AckRequest request, List<Effect> effects) {
    ClientIds asked = request.ids();
    ClientIds earlier = lacking.get(request.replica());
    IntervalSet sequences = asked.sequences().copy();
    if (earlier != null && earlier.client() == asked.client()) {
      sequences.addAll(earlier.sequences());
    }
    answer(request.replica(), new ClientIds(asked.client(), sequences), effects);
  }

  /** Something has come: maybe what somebody asked for. */
  void arrived(List<Effect> effects) {
    if (!lacking.isEmpty()) {
      new ArrayList<>(lacking.entrySet())
          .forEach(asked -> answer(asked.getKey(), asked.getValue(), effects));
    }
  }

  void viewChanged() {
    lacking.keySet().retainAll(view.others());
  }

  private void answer(long other, ClientIds asked, List<Effect> effects) {
    IntervalSet lacks = guarantees.lacking(asked.client(), asked.sequences());
    IntervalSet has = asked.sequences().without(lacks);
    if (!has.isEmpty()) {
      ClientIds ids = new ClientIds(asked.client(), has);
      view.send(other, new Ack(settings.service(), settings.self(), ids), effects);
    }
    if (lacks.isEmpty()) {
      lacking.remove(other);
    } else {
      lacking.put(other, new ClientIds(asked.client(), lacks));
    }
  }
}
