package dev.tempest.simulator;

import dev.tempest.protocol.Effect;
import dev.tempest.simulator.SimProcess.Input;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * What one replica sends for the sake of gossip: few messages however often others ask, and digests
 * that do not grow with history.
 */
final class GossipTraffic {
  /** A digest and twice two answers: any time of a round's length may meet those of two rounds. */
  private static final int MESSAGES_MAX = 5;

  /** With nothing unsettled; what a digest has for each open epoch comes on top. */
  private static final int DIGEST_MAX_BYTES = 90;

  private static final int EPOCH_MAX_BYTES = 22;

  private final String name;
  private final long intervalNanos;
  private final boolean executesAny;
  private final ArrayDeque<Long> sentNanos = new ArrayDeque<>();
  private long latestNanos = Long.MIN_VALUE;

  GossipTraffic(String name, int intervalMillis, boolean executesAny) {
    this.name = name;
    this.executesAny = executesAny;
    this.intervalNanos = intervalMillis * 1_000_000L;
  }

  /** Takes what a step sends; what goes to one replica is one message. */
  void sends(long clockNanos, Input input, List<Effect> effects) {
    latestNanos = Math.max(latestNanos, clockNanos);
    if (input instanceof Input.Arrived(int from, Message.RequestMessage request)) {
      return; // A request asks for what it waits for, whatever the round.
    }
    if (executesAny && input instanceof Input.Arrived(int from, Message.Want want)) {
      return; // Mostly it is a request that waits there for the answer.
    }
    List<Object> to = new ArrayList<>();
    for (Effect effect : effects) {
      if (effect instanceof Effect.Send(var address, Message message)
          && (message instanceof Message.AckRequest // With it goes what somebody waits for.
              || message instanceof Message.StateOffer)) { // With it goes the time.
        to.add(address);
      }
    }
    for (Effect effect : effects) {
      if (effect instanceof Effect.Send(var address, Message message) && isGossip(message)) {
        checkSize(message);
        if (!to.contains(address)) {
          to.add(address);
          sent();
        }
      }
    }
  }

  private static boolean isGossip(Message message) {
    return switch (message) {
      case Message.Digest digest -> true;
      case Message.Have have -> true;
      case Message.Want want -> true;
      case Message.Repair repair -> true;
      default -> false;
    };
  }

  private void sent() {
    sentNanos.add(latestNanos);
    while (sentNanos.getFirst() <= latestNanos - intervalNanos) {
      sentNanos.removeFirst();
    }
    if (sentNanos.size() > MESSAGES_MAX) {
      throw tooMuch(sentNanos.size() + " messages within one round");
    }
  }

  private void checkSize(Message message) {
    if (message instanceof Message.Digest digest) {
      ByteWriter writer = new ByteWriter(1 << 20);
      FrameCodec.add(writer, digest);
      if (writer.size() > DIGEST_MAX_BYTES + EPOCH_MAX_BYTES * digest.open().size()) {
        throw tooMuch("a digest of " + writer.size() + " bytes");
      }
    }
  }

  private Violation.Found tooMuch(String what) {
    return new Violation.Found(
        new Violation(Violation.Kind.GOSSIP, name + " sends too much for gossip: " + what));
  }
}
