package dev.tempest.runtime.node;

import dev.tempest.protocol.order.Restored;
import org.jspecify.annotations.Nullable;

/**
 * What a replica begins with, and where it goes on writing its log.
 *
 * @param restored null for nothing
 * @param log null for nowhere
 */
record Begun(@Nullable Restored restored, @Nullable StoredLog log) {
  static final Begun WITH_NOTHING = new Begun(null, null);
}
