package dev.tempest.protocol.membership;

/**
 * Whether a process that finds no cluster founds one: not if it hears of processes that speak only
 * other versions of the wire. Those may be the cluster that it looks for.
 */
final class Probing {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * So many times as long as it takes to found, waiting for one with a lower id comes to an end.
   */
  private static final int FOUND_LATEST_FACTOR = 4;

  private final MemberSettings settings;
  private final MemberTable table;
  private final long self;

  /**
   * Probes are counted, and not time: while a process stalls, as it does when it starts, answers
   * wait unread.
   */
  private int probes;

  private boolean hearsOtherVersions;

  Probing(MemberSettings settings, MemberTable table, long self) {
    this.settings = settings;
    this.table = table;
    this.self = self;
  }

  /** Another probe went out. */
  void probed() {
    probes++;
  }

  /** A process was heard that speaks only other versions. */
  void heardOtherVersion() {
    hearsOtherVersions = true;
  }

  boolean mayFound(long nowNanos) {
    return !hearsOtherVersions && probes >= enough() && (isLatest() || !hearsOfLower(nowNanos));
  }

  /**
   * Whether it would have founded a cluster if nobody spoke other versions, however long it took.
   */
  boolean isRefused() {
    return hearsOtherVersions && isLatest();
  }

  private int enough() {
    return settings.foundAfterMillis() / settings.probeMillis();
  }

  private boolean isLatest() {
    return probes >= FOUND_LATEST_FACTOR * enough();
  }

  private boolean hearsOfLower(long nowNanos) {
    long recently = nowNanos - settings.foundAfterMillis() * NANOS_PER_MILLI;
    return table.all().stream()
        .anyMatch(known -> known.id() < self && known.isPresent() && known.sinceNanos > recently);
  }
}
