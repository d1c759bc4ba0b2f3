package dev.tempest.admin;

import java.util.List;

/**
 * Whether a node works, for those who restart it or send it requests.
 *
 * @param live false once its event loop has ended, or has been held for 10 seconds by one method of
 *     a service or one merge function: only a restart helps
 * @param ready whether it is a member, has the state of all that it hosts, and serves
 * @param reasons why it is not live or not ready, in words; empty if it is both
 * @param warnings what people should look at although it works, in words: that its memory is all
 *     but full, or that it is alone in its cluster, although its configuration names seeds. That is
 *     normal for the first that starts; later, the others may be a cluster of their own
 */
public record NodeHealth(boolean live, boolean ready, List<String> reasons, List<String> warnings) {
  /** Keeps its own copies. */
  public NodeHealth {
    reasons = List.copyOf(reasons);
    warnings = List.copyOf(warnings);
  }
}
