package dev.tempest.protocol.order;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.order.log.LogSettings;
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
 * what it said last, as a network might deliver that twice, and only if that was just now; so who
 * leads no more does not seem to. After {@link #BUSY_MAX_NANOS} it is silent: what takes that long
 * may never end.
 *
 * <p>Thread-safe: one thread executes, and another one asks what is to be said.
 */
public final class SignsOfLife {
  /** As long as a request usually has at most. */
  static final long BUSY_MAX_NANOS = 10_000_000_000L;

  /** What was said so many heartbeats before is not said again. */
  private static final int LATEST = 5;

  private record To(Address address, long service) {}

  private record Said(Message.OfLog message, long atNanos) {}

  private final long heartbeatNanos;
  private final Map<To, Said> latest = new LinkedHashMap<>();

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
    LogMessage sign = signOf(message.said());
    if (sign != null) {
      Message.OfLog again = new Message.OfLog(message.service(), message.replica(), sign);
      latest.put(new To(to, message.service()), new Said(again, nowNanos));
    }
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
    if (busyNanos < heartbeatNanos || busyNanos > BUSY_MAX_NANOS) {
      return again;
    }
    latest.values().removeIf(each -> busySinceNanos - each.atNanos > LATEST * heartbeatNanos);
    latest.forEach((to, each) -> again.add(new Effect.Send(to.address, each.message)));
    return again;
  }
}
