package dev.tempest.protocol.order;

import dev.tempest.protocol.Invariant;
import org.jspecify.annotations.Nullable;

/**
 * Clients of which the latest updates count within one period, and what they take in memory, about.
 * Immutable; an {@link Edit} makes the next one.
 */
record Generation(LongMap<Client> clients, long sizeBytes) {
  static final Generation EMPTY = new Generation(LongMap.empty(), 0);

  boolean isEmpty() {
    return clients.size() == 0;
  }

  Edit edit() {
    return new Edit(this);
  }

  /** Throws if it does not hold together. */
  void checkInvariants() {
    clients.checkInvariants();
    long[] bytes = {0};
    clients.forEach(client -> bytes[0] += client.sizeBytes());
    Invariant.check(bytes[0] == sizeBytes, "a generation knows what it takes");
  }

  /** The next one in the making. Not thread-safe, and of no use after {@link #done}. */
  static final class Edit {
    private final LongMap.Edit<Client> clients;
    private long sizeBytes;

    private Edit(Generation before) {
      this.clients = before.clients.edit();
      this.sizeBytes = before.sizeBytes;
    }

    void put(Client client) {
      remove(client.id());
      clients.put(client.id(), client);
      sizeBytes += client.sizeBytes();
    }

    void remove(long id) {
      @Nullable Client present = clients.get(id);
      if (present != null) {
        clients.remove(id);
        sizeBytes -= present.sizeBytes();
      }
    }

    Generation done() {
      return new Generation(clients.done(), sizeBytes);
    }
  }
}
