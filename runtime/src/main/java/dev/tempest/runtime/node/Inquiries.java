package dev.tempest.runtime.node;

import dev.tempest.protocol.membership.Member;
import dev.tempest.runtime.transport.Counters;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.PeerAddress;
import dev.tempest.wire.Message.ContentsRequest;
import dev.tempest.wire.Message.ToolMessage;
import java.util.Collection;
import java.util.Set;
import java.util.SortedMap;

/**
 * Answers tools. What they read is made in a thread of its own, and waits in a queue of its own: a
 * flood of such questions does not keep states from members.
 *
 * <p>Owned by the event loop.
 */
final class Inquiries implements AutoCloseable {
  /** More than tools ask at once, each for one piece after the other. */
  private static final int WAITING_MAX = 16;

  private final Endpoint endpoint;
  private final Tools tools;
  private final Readings readings = new Readings();
  final MessageMaker maker;

  Inquiries(Endpoint endpoint, Tools tools) {
    this.endpoint = endpoint;
    this.tools = tools;
    this.maker = new MessageMaker(endpoint, "tools", WAITING_MAX);
  }

  /** Answers, now or {@linkplain #send later}; parameters as of {@link Tools#answer}. */
  void answer(
      PeerAddress from,
      ToolMessage question,
      Collection<Hosted> replicas,
      SortedMap<Long, Member> members,
      Set<Long> alive,
      long nowNanos) {
    if (question instanceof ContentsRequest request) {
      maker.make(from, request, readings.answer(from, request, replicas, nowNanos));
      return;
    }
    ToolMessage answer = tools.answer(question, replicas, members, alive);
    if (answer == null) {
      endpoint.counters().count(Counters.Kind.UNEXPECTED);
    } else {
      endpoint.send(from, answer);
    }
  }

  /** Sends what is made, and ends what takes too long. */
  void send(long nowNanos) {
    maker.send();
    readings.endThoseOver(nowNanos);
  }

  @Override
  public void close() {
    maker.close();
  }
}
