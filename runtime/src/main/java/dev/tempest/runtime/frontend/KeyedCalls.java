package dev.tempest.runtime.frontend;

import dev.tempest.wire.RequestId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The updates under way that a key names. Each is asked by a client of its own, which is part of
 * the name and makes this one update only; whoever asks for the same meanwhile waits for it, too.
 */
final class KeyedCalls {
  private final Map<Long, Keyed> byClient = new HashMap<>();
  private final Map<Long, Keyed> byFirst = new HashMap<>();

  /**
   * One of them.
   *
   * @param owner the front-end that asked first
   * @param tickets of all that wait; that of the first is under way
   */
  record Keyed(RequestId id, long owner, List<Long> tickets) {}

  /** Takes what nobody asks for yet. */
  void begin(RequestId id, long owner, long ticket) {
    Keyed keyed = new Keyed(id, owner, new ArrayList<>(List.of(ticket)));
    byClient.put(id.client(), keyed);
    byFirst.put(ticket, keyed);
  }

  /** What the client of that name asks; null if there is none. */
  @Nullable Keyed of(long client) {
    return byClient.get(client);
  }

  /** All that wait for what has that ticket. */
  List<Long> waiting(long ticket) {
    Keyed keyed = byFirst.get(ticket);
    return keyed == null ? List.of(ticket) : keyed.tickets();
  }

  /** What has that ticket has ended; null if no key names it. */
  @Nullable Keyed end(long ticket) {
    Keyed ended = byFirst.remove(ticket);
    if (ended != null) {
      byClient.remove(ended.id().client());
    }
    return ended;
  }

  /** What a front-end asked first. */
  List<Keyed> askedBy(long owner) {
    return byFirst.values().stream().filter(keyed -> keyed.owner() == owner).toList();
  }
}
