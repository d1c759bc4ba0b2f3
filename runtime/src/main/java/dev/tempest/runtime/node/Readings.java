package dev.tempest.runtime.node;

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
 * moment at which it began. Owned by the event loop.
 */
final class Readings {
  private static final int PIECE_BYTES = 64 << 10;

  /** So many at once: each keeps a version alive. */
  private static final int READINGS_MAX = 4;

  private static final long IDLE_NANOS = 10_000_000_000L;

  private record Reading(
      ServiceInstance service, Version version, ServiceStatus status, long usedNanos) {}

  private final Map<Long, Reading> readings = new LinkedHashMap<>();

  /** Makes the answer. */
  Supplier<Contents> answer(ContentsRequest request, Collection<Hosted> replicas, long nowNanos) {
    readings.values().removeIf(reading -> nowNanos - reading.usedNanos() > IDLE_NANOS);
    Reading known = readings.remove(request.reading());
    if (known == null && !request.wish().equals(Assembly.FIRST_WISH)) {
      return () ->
          unavailable(request, "the reading was interrupted, or too many read: read again");
    }
    Reading reading = known == null ? begin(request.service(), replicas, nowNanos) : known;
    if (reading == null) {
      return () -> unavailable(request, "there is no state of " + request.service() + " here yet");
    }
    if (readings.size() == READINGS_MAX) {
      readings.remove(readings.keySet().iterator().next());
    }
    readings.put(
        request.reading(),
        new Reading(reading.service(), reading.version(), reading.status(), nowNanos));
    return () -> contents(request, reading);
  }

  private static @Nullable Reading begin(
      String service, Collection<Hosted> replicas, long nowNanos) {
    for (Hosted replica : replicas) {
      Version version = replica.name().equals(service) ? replica.shown() : null;
      if (version != null) {
        return new Reading(replica.instance(), version, replica.status(), nowNanos);
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
