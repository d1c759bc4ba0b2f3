package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.ClientTable;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.LogMessage.StatePart;
import dev.tempest.wire.Piece;
import dev.tempest.wire.Wish;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The states in place of which the log may be dropped: the one with which it begins, which others
 * can take, and a later one, with which it will.
 */
final class LogStates {
  private final ServiceInstance service;
  private final int pieceBytes;
  private final long logMaxBytes;
  private @Nullable LogState first;
  private @Nullable LogState next;

  /** One for those who have the log, and cannot come to the state by it. */
  private @Nullable LogState current;

  /** Of a log that may take so much. */
  LogStates(ServiceInstance service, int pieceBytes, long logMaxBytes) {
    this.service = service;
    this.pieceBytes = pieceBytes;
    this.logMaxBytes = logMaxBytes;
  }

  /** Drops what is in a state, of a log that has grown long: half of it stays for who is behind. */
  void shorten(Consensus log, LogState now) {
    long sizeBytes = log.committedBytes();
    if (sizeBytes < logMaxBytes / 2) {
      return;
    }
    LogState later = next;
    if (later == null) {
      next = now;
    } else if (sizeBytes >= logMaxBytes
        && log.hasToldOf(later.point().slot())
        && (!log.isGivingState() || sizeBytes >= 2 * logMaxBytes)) {
      first = later;
      next = now;
      current = null;
      log.dropBelow(later.point().slot());
    }
  }

  /** The log begins with another state from now on. */
  void install(LogState taken) {
    first = taken;
    next = null;
    current = null;
  }

  /** What is here is not what counts; nor may be what was kept of it, unless the log needs it. */
  void deviate() {
    next = null;
    current = null;
  }

  /**
   * Gives a piece of the state with which the log begins, if it is that one, or else of one that is
   * as late.
   *
   * @param now null for none
   */
  void give(
      Address to,
      long slot,
      Wish wish,
      @Nullable LogState now,
      Function<StatePart, Effect.Send> send,
      List<Effect> out) {
    LogState state = given(slot, now);
    if (state == null) {
      return; // Its leader tells it where the log begins by now.
    }
    switch (wish) {
      case Wish.OfVersion(Bytes bytes) ->
          out.add(
              new Effect.Make(
                  to,
                  () ->
                      send.apply(
                              new StatePart(
                                  state.point(),
                                  new Piece.OfVersion(
                                      service.piece(state.applied().version(), bytes, pieceBytes))))
                          .message()));
      case Wish.OfClients(long from) ->
          out.add(
              send.apply(
                  new StatePart(
                      state.point(), ofClients(state.applied().clients(), from, pieceBytes))));
      case Wish.OfEntries after -> {}
    }
  }

  /** A piece of a client table. */
  static Piece.OfClients ofClients(ClientTable clients, long from, int pieceBytes) {
    ClientTable.Page page = clients.page(from, pieceBytes);
    return new Piece.OfClients(
        from, page.records(), page.nextFrom(), clients.youngSince(), clients.forgottenBefore());
  }

  private @Nullable LogState given(long slot, @Nullable LogState now) {
    LogState begin = first;
    if (begin != null && begin.point().slot() == slot) {
      return begin;
    }
    LogState kept = current;
    if (now != null && (kept == null || kept.point().slot() < slot)) {
      kept = now;
      current = now;
    }
    return kept == null || kept.point().slot() < slot ? null : kept;
  }
}
