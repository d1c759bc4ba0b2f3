package dev.tempest.runtime.node;

import dev.tempest.protocol.Address;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Assembly;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.UserCode;
import dev.tempest.wire.Message.Contents;
import dev.tempest.wire.Message.ContentsRequest;
import dev.tempest.wire.Message.ServiceStatus;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What tools read of the state of services, piece by piece: all pieces of one reading are of the
 * moment at which it began. Each keeps the version of that moment in memory, so there are few, and
 * each ends, whatever is asked. Owned by the event loop.
 */
final class Readings {
  private static final int PIECE_BYTES = 64 << 10;

  /** So many at once. */
  static final int READINGS_MAX = 4;

  /** A tool that goes on asks sooner. */
  private static final long IDLE_NANOS = 10_000_000_000L;

  /** For the largest states; whoever asks for longer does not want to come to an end. */
  static final long READING_NANOS = 120_000_000_000L;

  private record Reading(
      Address reader,
      ServiceInstance service,
      Version version,
      ServiceStatus status,
      long beganNanos,
      long usedNanos) {
    Reading usedAt(long nowNanos) {
      return new Reading(reader, service, version, status, beganNanos, nowNanos);
    }

    boolean isOver(long nowNanos) {
      return nowNanos - usedNanos > IDLE_NANOS || nowNanos - beganNanos > READING_NANOS;
    }
  }

  /** The one that was used last comes last. */
  private final Map<Long, Reading> readings = new LinkedHashMap<>();

  /** Makes the answer. */
  Supplier<Contents> answer(
      Address from, ContentsRequest request, Collection<Hosted> replicas, long nowNanos) {
    endThoseOver(nowNanos);
    Reading known = readings.remove(request.reading());
    if (known == null && !request.wish().equals(Assembly.FIRST_WISH)) {
      return () ->
          unavailable(
              request,
              "the reading has ended: it rested for 10 s, took 2 min in all, or too many read:"
                  + " read again");
    }
    Reading reading = known == null ? begin(from, request.service(), replicas, nowNanos) : known;
    if (reading == null) {
      return () -> unavailable(request, "there is no state of " + request.service() + " here yet");
    }
    if (readings.size() == READINGS_MAX) {
      endOneFor(from);
    }
    readings.put(request.reading(), reading.usedAt(nowNanos));
    return () -> contents(request, reading);
  }

  /** Lets go of what nobody reads on; also if nobody asks for anything any more. */
  void endThoseOver(long nowNanos) {
    readings.values().removeIf(reading -> reading.isOver(nowNanos));
  }

  /** How many versions are kept. */
  int size() {
    return readings.size();
  }

  /** Whoever begins one too many ends one of its own, and so nobody else's. */
  private void endOneFor(Address reader) {
    long ended =
        readings.entrySet().stream()
            .filter(each -> each.getValue().reader().equals(reader))
            .findFirst()
            .orElseGet(() -> readings.entrySet().iterator().next())
            .getKey();
    readings.remove(ended);
  }

  private static @Nullable Reading begin(
      Address reader, String service, Collection<Hosted> replicas, long nowNanos) {
    for (Hosted replica : replicas) {
      Version version = replica.name().equals(service) ? replica.shown() : null;
      if (version != null) {
        return new Reading(
            reader, replica.instance(), version, replica.status(), nowNanos, nowNanos);
      }
    }
    return null;
  }

  private static Contents contents(ContentsRequest request, Reading reading) {
    Bytes piece;
    try {
      piece = reading.service().piece(reading.version(), request.wish(), PIECE_BYTES);
    } catch (Throwable failed) {
      UserCode.rethrowIfFatal(failed);
      return unavailable(request, UserCode.describe(failed));
    }
    return new Contents(
        request.token(), reading.status().executed(), reading.status().unsettled(), piece, "");
  }

  private static Contents unavailable(ContentsRequest request, String reason) {
    return new Contents(request.token(), 0, 0, Bytes.EMPTY, reason);
  }
}
