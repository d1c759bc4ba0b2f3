package dev.tempest.protocol.order;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.log.LogSettings;
import dev.tempest.wire.Ballot;
import dev.tempest.wire.LogMessage;
import dev.tempest.wire.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a process whose replicas agree on logs says to others while it executes for long, when none
 * of its replicas can say anything: that its leaders lead, and its followers follow. It says again
 * what it said last, but for entries, and only if that was just now and of the same ballot as what
 * came after it; so who leads no more does not seem to for long. After {@link #BUSY_MAX_NANOS} it
 * is silent: what takes that long may never end.
 *
 * <p>Thread-safe: one thread executes, and another one asks what is to be said.
 */
public final class SignsOfLife {
  /** As long as a request usually has at most. */
  static final long BUSY_MAX_NANOS = 10_000_000_000L;

  /** Turns of a loop are shorter than so many heartbeats, but for what executes for long. */
  private static final int BUSY_MIN = 2;

  /** What was said so many heartbeats before is not said again. */
  private static final int LATEST = 5;

  private record Said(Message.OfLog message, long atNanos) {}

  /** What the replica of a service has said by one ballot. */
  private static final class OfBallot {
    final Ballot ballot;
    final Map<Address, Said> latest = new LinkedHashMap<>();

    /** Whether it leads by that: whoever is about to could as well be gone. */
    boolean leads;

    OfBallot(Ballot ballot) {
      this.ballot = ballot;
    }
  }

  private final long heartbeatNanos;
  private final Map<Long, OfBallot> services = new LinkedHashMap<>();

  /**
   * Nothing was said yet.
   *
   * @param heartbeatNanos how often a leader speaks
   */
  public SignsOfLife(long heartbeatNanos) {
    this.heartbeatNanos = heartbeatNanos;
  }

  /** Where nothing else is said. */
  public static SignsOfLife usual() {
    return new SignsOfLife(LogSettings.HEARTBEAT_NANOS);
  }

  /** How often it is to be asked what is to be said {@link #again}. */
  public long heartbeatNanos() {
    return heartbeatNanos;
  }

  /** A replica says something to another one. */
  public synchronized void said(Address to, Message.OfLog message, long nowNanos) {
    Ballot ballot = ballotOf(message.said());
    if (ballot == null) {
      return;
    }
    OfBallot known = services.get(message.service());
    if (known == null || !known.ballot.equals(ballot)) {
      known = new OfBallot(ballot);
      services.put(message.service(), known);
    }
    LogMessage sign = signOf(message.said());
    if (sign != null) {
      known.leads |= sign instanceof LogMessage.Sync || sign instanceof LogMessage.Accept;
      Message.OfLog again = new Message.OfLog(message.service(), message.replica(), sign);
      known.latest.put(to, new Said(again, nowNanos));
    }
  }

  private static @Nullable Ballot ballotOf(LogMessage said) {
    return switch (said) {
      case LogMessage.Tell(LogMessage.Accept accept) -> accept.ballot();
      case LogMessage.Told(LogMessage.Accepted accepted, long from) -> accepted.ballot();
      case LogMessage.PreVoted forAnother -> null;
      case LogMessage.OfBallot of -> of.ballot();
      default -> null;
    };
  }

  private static @Nullable LogMessage signOf(LogMessage said) {
    return switch (said) {
      case LogMessage.Prepare prepare -> prepare;
      case LogMessage.Sync sync -> sync.withoutEntries();
      case LogMessage.Accept accept -> accept.withoutEntries();
      case LogMessage.Tell(LogMessage.Accept accept) -> accept.withoutEntries();
      case LogMessage.Promise promise -> promise;
      case LogMessage.Synced synced -> synced;
      case LogMessage.Accepted accepted -> accepted;
      case LogMessage.Told(LogMessage.Accepted accepted, long from) -> accepted;
      default -> null;
    };
  }

  /**
   * What is to be said again.
   *
   * @param busySinceNanos since when it executes something
   */
  public synchronized List<Effect.Send> again(long busySinceNanos, long nowNanos) {
    long busyNanos = nowNanos - busySinceNanos;
    List<Effect.Send> again = new ArrayList<>();
    if (busyNanos < BUSY_MIN * heartbeatNanos || busyNanos > BUSY_MAX_NANOS) {
      return again;
    }
    long sinceNanos = busySinceNanos - LATEST * heartbeatNanos;
    for (OfBallot service : services.values()) {
      service.latest.values().removeIf(said -> said.atNanos < sinceNanos);
      service.latest.forEach((to, said) -> {
        if (service.leads || !(said.message.said() instanceof LogMessage.Prepare)) {
          again.add(new Effect.Send(to, said.message));
        }
      });
    }
    return again;
  }
}
