package dev.tempest.protocol.membership;

import java.util.List;

/**
 * How a process finds others and keeps track of them. Equal at all processes of a cluster, the
 * candidates aside.
 *
 * @param candidates addresses where other processes may be: seeds, ports of this host; at most
 *     {@link #CANDIDATES_MAX}
 * @param probeMillis the time between two probes while no cluster was found
 * @param foundAfterMillis who hears of nobody for so long founds a cluster
 * @param heartbeatMillis the time between two rounds, in which a member tells two others what it
 *     knows
 * @param reachOutMillis the time between two attempts to reach processes that are not members
 * @param silentAfterMillis a member whose heartbeat has not grown for so long is silent; in
 *     clusters of dozens of members it takes longer
 * @param expelAfterMillis a member whose heartbeat has not grown for so long is expelled
 * @param messageMaxBytes the largest message, so that its frame fits a datagram
 */
public record MemberSettings(
    List<String> candidates,
    int probeMillis,
    int foundAfterMillis,
    int heartbeatMillis,
    int reachOutMillis,
    int silentAfterMillis,
    int expelAfterMillis,
    int messageMaxBytes) {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** As many addresses are tried, one after the other. */
  public static final int CANDIDATES_MAX = 1_024;

  /** Room for the record of the member that speaks and the largest one beside it. */
  private static final int MESSAGE_MIN_BYTES = 1_280;

  /** Settings with the defaults for everything but where others may be. */
  public static MemberSettings of(List<String> candidates) {
    return new MemberSettings(candidates, 40, 250, 250, 1_000, 2_000, 60_000, 1_400);
  }

  /** Refuses settings that cannot work. */
  public MemberSettings {
    candidates = List.copyOf(candidates);
    if (candidates.size() > CANDIDATES_MAX) {
      throw new IllegalArgumentException(
          "at most %d candidates, not %d: name a few seeds, or one DNS name"
              .formatted(CANDIDATES_MAX, candidates.size()));
    }
    if (probeMillis < 1 || heartbeatMillis < 1 || reachOutMillis < 1) {
      throw new IllegalArgumentException("the time between two messages is at least 1 ms");
    }
    if (foundAfterMillis < probeMillis) {
      throw new IllegalArgumentException(
          "found after at least one probe, %d ms, not %d".formatted(probeMillis, foundAfterMillis));
    }
    if (silentAfterMillis < 2 * heartbeatMillis || expelAfterMillis < silentAfterMillis) {
      throw new IllegalArgumentException(
          "silent after at least two heartbeats of %d ms, and expelled not before: not %d, %d ms"
              .formatted(heartbeatMillis, silentAfterMillis, expelAfterMillis));
    }
    if (messageMaxBytes < MESSAGE_MIN_BYTES) {
      throw new IllegalArgumentException(
          "messages of at least %d bytes, not %d".formatted(MESSAGE_MIN_BYTES, messageMaxBytes));
    }
  }

  long heartbeatNanos() {
    return heartbeatMillis * NANOS_PER_MILLI;
  }

  long expelNanos() {
    return expelAfterMillis * NANOS_PER_MILLI;
  }
}
