package dev.tempest.wire;

import dev.tempest.wire.Message.Prefix;
import java.util.List;

/**
 * How a replica came to what it has settled: tells one that is behind from one that has grown
 * apart.
 *
 * @param history what was settled at the end of earlier epochs, ascending: of some that had
 *     entries, the latest
 * @param ancestors whose settled states it contains, by ascending ids: the latest
 */
public record Past(List<Prefix> history, List<Ancestor> ancestors) {
  /** Nothing was settled. */
  public static final Past NONE = new Past(List.of(), List.of());

  /** What another replica had settled at the end of an epoch is contained. */
  public record Ancestor(long replica, long throughEpoch) {}
}
