package dev.tempest.protocol.order.time;

import dev.tempest.state.Version;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Entry;
import org.jspecify.annotations.Nullable;

/** An entry in its place in the window, with what its latest execution gave. */
final class LogEntry {
  /** What an entry takes in memory beside the contents of its body, about. */
  private static final long OVERHEAD_BYTES = 200;

  final Entry entry;

  /** What the latest execution answered; null before the first one. */
  @Nullable Answer answer;

  /**
   * The version after it; null where it can be had by executing from an earlier entry that has one.
   */
  @Nullable Version after;

  LogEntry(Entry entry) {
    this.entry = entry;
  }

  long sizeBytes() {
    return OVERHEAD_BYTES + entry.body().sizeBytes();
  }
}
