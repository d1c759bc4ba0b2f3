package dev.tempest.protocol.order.time;

import dev.tempest.service.Execution;
import dev.tempest.state.Footprint;
import dev.tempest.state.Version;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Change;
import dev.tempest.wire.Entry;
import org.jspecify.annotations.Nullable;

/** An entry in its place in the window, with what its latest execution gave. */
final class LogEntry {
  /** What an entry takes in memory beside the contents of its body, about. */
  private static final long OVERHEAD_BYTES = 200;

  /** What the footprint of a call takes, about; a change has little or none. */
  private static final long FOOTPRINT_BYTES = 100;

  final Entry entry;

  /** What the latest execution answered; null before the first one in this place. */
  @Nullable Answer answer;

  /**
   * The version after it; null where it can be had by executing from an earlier entry that has one.
   */
  @Nullable Version after;

  /**
   * On what the latest execution depended; null before the first one, and for a change that was not
   * asked yet.
   */
  @Nullable Footprint footprint;

  LogEntry(Entry entry) {
    this.entry = entry;
  }

  /** Keeps what an execution gave, but for the version. */
  void ran(Execution execution) {
    answer = Replay.answer(entry, execution.result());
    // That of a change follows from its body, and is not needed if nothing comes late.
    footprint = entry.body() instanceof Change ? footprint : execution.footprint();
  }

  long sizeBytes() {
    long footprintBytes = entry.body() instanceof Change ? 0 : FOOTPRINT_BYTES;
    return OVERHEAD_BYTES + footprintBytes + entry.body().sizeBytes();
  }
}
