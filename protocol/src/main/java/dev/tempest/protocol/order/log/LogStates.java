package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.ClientTable;
import dev.tempest.protocol.order.Placement;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.UnreadableStateException;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.UserCode;
import dev.tempest.wire.LogMessage.StatePart;
import dev.tempest.wire.Message;
import dev.tempest.wire.Message.OfLog;
import dev.tempest.wire.Piece;
import dev.tempest.wire.Wish;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The states in place of which the log may be dropped: the one with which it begins, which others
 * can take, and a later one, with which it will.
 */
final class LogStates {
  /** Where memory is scarce, so much of the log is kept at least: few are behind for longer. */
  private static final long SCARCE_NANOS = 3_000_000_000L;

  private final Placement placement;
  private final ServiceInstance service;
  private final int pieceBytes;
  private final long logMaxBytes;
  private @Nullable LogState first;
  private @Nullable LogState next;

  /** Since when that is kept, or since a state was last given to somebody, who then needs a log. */
  private long nextNanos;

  private long nowNanos;
  private boolean isScarce;

  /** One for those who have the log, and cannot come to the state by it. */
  private @Nullable LogState current;

  /** Of a log that may take so much. */
  LogStates(Placement placement, ServiceInstance service, int pieceBytes, long logMaxBytes) {
    this.placement = placement;
    this.service = service;
    this.pieceBytes = pieceBytes;
    this.logMaxBytes = logMaxBytes;
  }

  /**
   * Whether memory is scarce from now on: an earlier state keeps what was removed since, and a log
   * that does not grow any more would keep that state for ever.
   */
  void scarce(boolean is) {
    if (isScarce && !is) {
      next = null; // Taken so early, it would leave room for little of the log.
    }
    isScarce = is;
  }

  /**
   * The replica has made a step.
   *
   * @param why no state can be taken in place of one that is not what counts; null if one can
   * @throws UnreadableStateException that one, once the log has grown long
   */
  void goOn(Agreement log, Executor executor, @Nullable UnreadableStateException why, long now) {
    nowNanos = now;
    if (log.isGivingState()) {
      nextNanos = nowNanos;
    }
    if (executor.deviation() == null) {
      shorten(log, executor.state());
    } else {
      deviate(log, why);
    }
  }

  /** Drops what is in a state, of a log that has grown long: half of it stays for who is behind. */
  private void shorten(Agreement log, LogState now) {
    LogState later = next;
    if (later == null) {
      if (isScarce || log.committedBytes() >= logMaxBytes / 2) {
        next = now;
        nextNanos = nowNanos;
      }
    } else if (isLong(log, later) && log.mayDrop(later.point().slot())) {
      first = later;
      next = now;
      nextNanos = nowNanos;
      current = null;
      log.dropBelow(later.point().slot());
    }
  }

  private boolean isLong(Agreement log, LogState later) {
    long sizeBytes = log.committedBytes();
    boolean isOld = nowNanos - nextNanos >= SCARCE_NANOS && later.point().slot() > log.start();
    return log.isGivingState()
        ? sizeBytes >= 2 * logMaxBytes
        : sizeBytes >= logMaxBytes || (isScarce && isOld);
  }

  /** The log begins with another state from now on. */
  void install(LogState taken) {
    first = taken;
    next = null;
    current = null;
  }

  /**
   * Drops what is in a state that the leader gave to one that deviates, of a log that has grown
   * long: it may deviate again, and come to no state of its own that counts.
   */
  void repaired(Agreement log, LogState taken) {
    long slot = taken.point().slot();
    if (log.committedBytes() >= logMaxBytes && log.mayDrop(slot)) {
      install(taken);
      log.dropBelow(slot);
    }
  }

  /** What is here is not what counts; nor may be what was kept of it, unless the log needs it. */
  private void deviate(Agreement log, @Nullable UnreadableStateException why) {
    next = null;
    current = null;
    if (why != null && log.committedBytes() >= 2 * logMaxBytes) {
      throw why;
    }
  }

  /**
   * Gives a piece of the state with which the log begins, if it is that one, or else of one that is
   * as late.
   *
   * @param to null if it is no member any more
   * @param now null for none
   */
  void give(@Nullable Address to, long slot, Wish wish, @Nullable LogState now, List<Effect> out) {
    LogState state = given(slot, now);
    nextNanos = nowNanos;
    if (state == null || to == null) {
      return; // Its leader tells it where the log begins by now.
    }
    switch (wish) {
      case Wish.OfVersion(Bytes bytes) ->
          out.add(new Effect.Make(to, () -> ofVersion(state, bytes)));
      case Wish.OfClients(long from) -> {
        Piece piece = ofClients(state.applied().clients(), from, pieceBytes);
        out.add(new Effect.Send(to, part(state, piece)));
      }
      case Wish.OfEntries after -> {}
    }
  }

  /** A piece of a client table. */
  static Piece.OfClients ofClients(ClientTable clients, long from, int pieceBytes) {
    ClientTable.Page page = clients.page(from, pieceBytes);
    return new Piece.OfClients(
        from, page.records(), page.nextFrom(), clients.youngSince(), clients.forgottenBefore());
  }

  /** Whatever is wrong with one piece, the giver goes on. */
  private Message ofVersion(LogState state, Bytes wish) {
    try {
      Bytes piece = service.piece(state.applied().version(), wish, pieceBytes);
      return part(state, new Piece.OfVersion(piece));
    } catch (Throwable failed) {
      UserCode.rethrowIfFatal(failed);
      return new Message.PieceUnavailable(
          placement.service(), placement.self(), UserCode.describe(failed));
    }
  }

  private OfLog part(LogState state, Piece piece) {
    return new OfLog(placement.service(), placement.self(), new StatePart(state.point(), piece));
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
