package dev.tempest.protocol.order;

import dev.tempest.wire.Message.ClientRecord;
import dev.tempest.wire.Piece;
import dev.tempest.wire.Wish;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client table in the making, from its pieces, one after the other. Not thread-safe. */
public final class ClientAssembly {
  private final List<ClientRecord> records = new ArrayList<>();
  private long nextFrom;
  private long youngSince;
  private long forgottenBefore;
  private @Nullable ClientTable table;

  /** Nothing is here yet. */
  public ClientAssembly() {}

  /** What it needs next. */
  public Wish.OfClients wish() {
    return new Wish.OfClients(nextFrom);
  }

  /** Takes a piece; false if it is not the next one. */
  public boolean take(Piece.OfClients piece) {
    if (table != null || piece.from() != nextFrom) {
      return false;
    }
    records.addAll(piece.clients());
    nextFrom = piece.nextFrom();
    // It may be of another giver than the one before, which has forgotten more, or less.
    youngSince = Math.max(youngSince, piece.youngSince());
    forgottenBefore = Math.max(forgottenBefore, piece.forgottenBefore());
    if (piece.isLast()) {
      table = ClientTable.of(records, youngSince, forgottenBefore);
      records.clear();
    }
    return true;
  }

  /** The table once it is complete, else null. */
  public @Nullable ClientTable table() {
    return table;
  }
}
