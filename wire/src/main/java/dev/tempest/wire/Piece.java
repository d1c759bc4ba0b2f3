package dev.tempest.wire;

import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Message.ClientRecord;
import java.util.List;

/** A piece of a state. */
public sealed interface Piece {
  /** As the state writes it. */
  record OfVersion(Bytes bytes) implements Piece {}

  /**
   * Some clients.
   *
   * @param from how many come before them
   * @param isLast whether there are no more
   */
  record OfClients(int from, List<ClientRecord> clients, boolean isLast) implements Piece {}

  /**
   * Some entries, in order.
   *
   * @param after what was asked for
   * @param isLast whether there are no more now
   */
  record OfEntries(Wish.OfEntries after, List<Entry> entries, boolean isLast) implements Piece {}
}
