package dev.tempest.protocol.order.log;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.Applied;
import dev.tempest.protocol.order.ClientAssembly;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Assembly;
import dev.tempest.state.versioned.UnreadableStateException;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.Piece;
import dev.tempest.wire.Wish;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes the state with which the log of a leader begins, one piece after the other; of the version
 * only what differs from what is here. Decides nothing: the state counts once the log that follows
 * it is here, too. Or a later one, for whoever has the log and cannot come to the state by it.
 */
final class StateTaker {
  /** How long to wait for a piece before asking for it again. */
  private static final long ASK_AGAIN_NANOS = 400_000_000;

  private final ServiceInstance service;
  private final int pieceBytes;
  private @Nullable Assembly assembly;
  private ClientAssembly clients = new ClientAssembly();
  private long slot = -1;

  /** From where on any state does, if there is no log to take with it; else -1. */
  private long orLater = -1;

  /** Whose state that is: another leader may have come to another one at the same slot. */
  private Ballot giver = Ballot.NONE;

  /**
   * Of which state pieces are here; null while there are none. A piece of a later one does not fit:
   * its version would lack what the clients of the other were told, or the other way round.
   */
  private @Nullable LogPoint of;

  private @Nullable LogState taken;
  private long askAgainNanos = Long.MAX_VALUE;

  /** Why the last piece could not be read, and no other one will be; null if it could. */
  private @Nullable UnreadableStateException why;

  /** Whether pieces came, and how far the log reached, when it was {@link #cameOn} last. */
  private boolean pieceCame;

  private long reached;

  StateTaker(ServiceInstance service, int pieceBytes) {
    this.service = service;
    this.pieceBytes = pieceBytes;
  }

  /** When it asks again; {@link Long#MAX_VALUE} if it takes nothing. */
  long nextTickNanos() {
    return askAgainNanos;
  }

  /**
   * Takes the state at a slot, if it does not already.
   *
   * @param own what is here
   * @return what to ask for now; null for nothing
   */
  LogMessage.@Nullable StateWish wants(long at, Version own, long nowNanos) {
    if (at != slot || orLater >= 0) {
      begin(at, own, nowNanos);
      orLater = -1;
    }
    return taken == null && nowNanos >= askAgainNanos ? ask(nowNanos) : null;
  }

  /** Takes a state at a slot or a later one, whichever this leader gives; the same. */
  LogMessage.@Nullable StateWish wantsOneFrom(long at, Ballot leader, Version own, long nowNanos) {
    boolean isSame = at == orLater && leader.equals(giver);
    if (!isSame || (taken == null && nowNanos >= askAgainNanos)) {
      begin(at, own, nowNanos); // Whoever gave one may give another by now.
      orLater = at;
      giver = leader;
    }
    return taken == null && nowNanos >= askAgainNanos ? ask(nowNanos) : null;
  }

  private void begin(long at, Version own, long nowNanos) {
    Assembly begun = assembly;
    if (begun == null) {
      assembly = service.assembly(own, pieceBytes);
    } else {
      begun.again(); // What was taken of another state is not taken again where it is the same.
    }
    clients = new ClientAssembly();
    slot = at;
    of = null;
    taken = null;
    askAgainNanos = nowNanos;
  }

  private LogMessage.StateWish ask(long nowNanos) {
    askAgainNanos = nowNanos + ASK_AGAIN_NANOS;
    Assembly version = Objects.requireNonNull(assembly);
    Wish wish = version.isComplete() ? clients.wish() : new Wish.OfVersion(version.wish());
    return new LogMessage.StateWish(slot, wish);
  }

  /** Takes none any more. */
  void forget() {
    pause();
    assembly = null;
  }

  /** Takes none for now: the next one begins with what was taken of this one, whoever gives it. */
  void pause() {
    slot = -1;
    orLater = -1;
    of = null;
    taken = null;
    askAgainNanos = Long.MAX_VALUE;
  }

  /** Why a state can never be taken here, though the others need this replica; null if it can. */
  @Nullable UnreadableStateException why() {
    return why;
  }

  /** Whether pieces are on their way. */
  boolean isTaking() {
    return askAgainNanos < Long.MAX_VALUE;
  }

  /**
   * Takes a piece.
   *
   * @param votes whether the others need this replica though it has no state
   * @return what to ask for next, null for nothing
   * @throws UnreadableStateException if the code here declares something else, and nobody needs it
   */
  LogMessage.@Nullable StateWish take(
      LogMessage.StatePart part, boolean votes, long nowNanos, List<Effect> effects) {
    LogPoint point = part.point();
    if (taken != null || !fits(point) || !isNext(part.piece(), votes, effects)) {
      return null;
    }
    pieceCame = true;
    why = null;
    of = point;
    slot = point.slot();
    if (clients.table() == null) {
      return ask(nowNanos);
    }
    Version version = Objects.requireNonNull(assembly).version();
    taken = new LogState(point, new Applied(version, clients.table()));
    askAgainNanos = Long.MAX_VALUE;
    return null;
  }

  private boolean fits(LogPoint point) {
    if (of != null) {
      return point.equals(of);
    }
    return point.slot() == slot || (orLater >= 0 && point.slot() > slot);
  }

  /** What cannot be read is asked for again. */
  private boolean isNext(Piece piece, boolean votes, List<Effect> effects) {
    Assembly version = Objects.requireNonNull(assembly);
    try {
      return switch (piece) {
        case Piece.OfVersion(var bytes) -> !version.isComplete() && version.take(bytes);
        case Piece.OfClients some -> version.isComplete() && clients.take(some);
        case Piece.OfEntries entries -> false;
      };
    } catch (MalformedException malformed) {
      effects.add(cannotRead(malformed));
      return false;
    } catch (UnreadableStateException unreadable) {
      if (orLater < 0 || !votes) {
        throw unreadable; // It is of no use without a state.
      }
      why = unreadable;
      effects.add(cannotRead(unreadable));
      return false;
    }
  }

  private static Effect cannotRead(RuntimeException why) {
    return new Effect.Hindered("what its leader gives of it cannot be read: " + why.getMessage());
  }

  /** Whether more of the state, or of the log that follows it, has come since it was asked last. */
  boolean cameOn(long reach) {
    boolean came = pieceCame || reach > reached;
    pieceCame = false;
    reached = reach;
    return came;
  }

  /** The state at a point, all of which is here. */
  LogState taken(LogPoint at) {
    LogState here = taken;
    if (here == null || !here.point().equals(at)) {
      throw new IllegalStateException("no state was taken at slot " + at.slot());
    }
    return here;
  }

  /** The state, once all of it is here; null before. */
  @Nullable LogState taken() {
    return taken;
  }
}
