package dev.tempest.sessions;

import java.time.Duration;
import java.util.UUID;

/**
 * What a session has but its attributes.
 *
 * @param key by which it is known, whatever its id is
 * @param maxInactiveSeconds after so long without a request it ends; 0 for never
 */
record Head(UUID key, long createdMillis, long maxInactiveSeconds) {
  Duration maxInactive() {
    return Duration.ofSeconds(maxInactiveSeconds);
  }
}
