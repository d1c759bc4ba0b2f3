package dev.tempest.runtime.transport;

import dev.tempest.runtime.LogLimit;
import dev.tempest.runtime.LogLines;
import dev.tempest.runtime.transport.Counters.Kind;
import dev.tempest.values.encoding.ByteReader;
import dev.tempest.wire.ForeignFrame;
import dev.tempest.wire.FrameCodec;
import dev.tempest.wire.Versions;
import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Takes the frames that cannot be read. The log names, once, each process that speaks only versions
 * of the wire that this one does not. Servers answer such a process with an empty frame, which says
 * what they speak; those that have answered so are remembered until they are understood.
 *
 * <p>Thread-safe: datagrams and streams bring such frames.
 */
public final class OtherVersions {
  private static final System.Logger LOGGER = LogLines.logger(OtherVersions.class);

  /** So many are remembered; a flood of made up senders drives out the eldest. */
  private static final int PEERS_MAX = 256;

  private final long cluster;
  private final boolean answers;
  private final Counters counters;
  private final Map<PeerAddress, Answer> peers = new LinkedHashMap<>();
  private final Set<PeerAddress> named = new LinkedHashSet<>();
  private final Set<PeerAddress> asking = new LinkedHashSet<>();
  private final LogLimit log = new LogLimit();
  private volatile boolean any;
  private volatile long answered;

  /**
   * That a server does not understand this process.
   *
   * @param number how many had come by then, with it
   */
  private record Answer(long number, Versions spoken) {}

  /** Of an endpoint of that cluster, which answers or not. */
  OtherVersions(long cluster, boolean answers, Counters counters) {
    this.cluster = cluster;
    this.answers = answers;
    this.counters = counters;
  }

  /** Takes a frame that cannot be read. */
  void take(PeerAddress from, ByteReader frame) {
    ForeignFrame foreign = FrameCodec.readForeign(frame);
    if (foreign == null) {
      counters.count(Kind.MALFORMED);
    } else if (foreign.cluster() != cluster) {
      counters.count(Kind.OTHER_CLUSTER);
    } else {
      counters.count(Kind.OTHER_VERSION);
      take(from, foreign);
    }
  }

  private synchronized void take(PeerAddress from, ForeignFrame frame) {
    if (answers && !frame.isEmpty() && asking.size() < PEERS_MAX) {
      asking.add(from);
    }
    if (frame.spoken().meets(Versions.SPOKEN)) {
      return; // Once it hears which, it speaks one that this process does.
    }
    if (frame.isEmpty()) {
      answered = answered + 1; // Guarded: by nobody else at once.
      any = true;
      peers.put(from, new Answer(answered, frame.spoken()));
      if (peers.size() > PEERS_MAX) {
        peers.remove(peers.keySet().iterator().next());
      }
    }
    if (!named.contains(from) && log.admits(System.nanoTime())) {
      named.add(from);
      if (named.size() > PEERS_MAX) {
        named.remove(named.iterator().next());
      }
      LOGGER.log(
          Level.WARNING,
          "{0}, and they cannot work together: {1}",
          words(Map.of(from, frame.spoken())),
          remedy(frame.spoken()));
    }
  }

  /** A frame of a peer was read. */
  void understood(PeerAddress peer) {
    if (any) {
      forget(peer);
    }
  }

  private synchronized void forget(PeerAddress peer) {
    peers.remove(peer);
    any = !peers.isEmpty();
  }

  /** Those to be answered; once. */
  synchronized Set<PeerAddress> takeAsking() {
    if (asking.isEmpty()) {
      return Set.of();
    }
    Set<PeerAddress> taken = Collections.unmodifiableSet(new LinkedHashSet<>(asking));
    asking.clear();
    return taken;
  }

  /** How often any has answered. */
  public long answered() {
    return answered;
  }

  /** The servers that have answered, and what they speak. */
  public Map<PeerAddress, Versions> peers() {
    return peersSince(0);
  }

  /** Those of them that have answered since {@link #answered} was that. */
  public Map<PeerAddress, Versions> peersSince(long before) {
    return any ? copy(before) : Map.of();
  }

  private synchronized Map<PeerAddress, Versions> copy(long before) {
    Map<PeerAddress, Versions> copy = new LinkedHashMap<>();
    peers.forEach((peer, answer) -> {
      if (answer.number() > before) {
        copy.put(peer, answer.spoken());
      }
    });
    return Collections.unmodifiableMap(copy);
  }

  /** Who speaks what, for people: half a sentence. */
  public static String words(Map<?, Versions> peers) {
    StringBuilder text = new StringBuilder();
    peers.forEach((peer, spoken) ->
        text.append(text.isEmpty() ? "" : ", ").append(peer).append(" speaks ").append(spoken));
    return text.append(" of Tempest's protocol, this process ").append(Versions.SPOKEN).toString();
  }

  /** What to do about it. */
  public static String remedy(Versions theirs) {
    return theirs.highest() > Versions.SPOKEN.highest()
        ? "upgrade this process, or give it another cluster name"
        : "upgrade the other process, or give this one another cluster name";
  }
}
