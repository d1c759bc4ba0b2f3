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
   * @param from the place that was asked for
   * @param nextFrom a place after it, from which the next ones lie; 0 if there are no more
   * @param youngSince when the clients begin that are to be remembered for longer, not negative
   * @param forgottenBefore clients whose latest updates count before this may be forgotten
   */
  record OfClients(
      long from, List<ClientRecord> clients, long nextFrom, long youngSince, long forgottenBefore)
      implements Piece {
    /** Whether there are no more. */
    public boolean isLast() {
      return nextFrom == 0;
    }
  }

  /**
   * Some entries, in order.
   *
   * @param after what was asked for
   * @param isLast whether there are no more now
   */
  record OfEntries(Wish.OfEntries after, List<Entry> entries, boolean isLast) implements Piece {}
}
