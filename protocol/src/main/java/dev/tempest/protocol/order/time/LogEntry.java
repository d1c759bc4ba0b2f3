package dev.tempest.protocol.order.time;

import dev.tempest.service.execution.Execution;
import dev.tempest.state.versioned.Footprint;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import dev.tempest.wire.Entry;
import org.jspecify.annotations.Nullable;

/** An entry in its place in the window, with what its latest execution gave. */
final class LogEntry {
  /** What an entry takes in memory beside the contents of its body, about. */
  private static final long OVERHEAD_BYTES = 200;

  /** What the keys in the footprint of a call take, about; others have few or none. */
  private static final long FOOTPRINT_BYTES = 100;

  final Entry entry;

  /** What the latest execution answered; null before the first one in this place. */
  @Nullable Answer answer;

  /**
   * The version after it; null where it can be had by executing from an earlier entry that has one.
   */
  @Nullable Version after;

  /**
   * On what the latest execution depended; null before the first one, and for one that is applied
   * and was not asked yet.
   */
  @Nullable Footprint footprint;

  /** What the latest execution left here beside the body, about. */
  private long leftBytes;

  /** Its client has the answers to all its updates with lower sequences, as far as is known. */
  long answeredBelow;

  LogEntry(Entry entry) {
    this.entry = entry;
  }

  /** Whether it runs; else what it wrote elsewhere is applied. */
  boolean isCall() {
    return entry.body() instanceof Call;
  }

  /**
   * Whether another entry of the same request counts in place of this one: the one with the lower
   * stamp, and at one stamp the one with the lower number of its body.
   */
  boolean givesWayTo(Entry other) {
    return entry.stamp() == other.stamp()
        ? other.body().number() < entry.body().number()
        : other.stamp() < entry.stamp();
  }

  /**
   * Keeps what an execution gave, but for the version.
   *
   * @return how many bytes more it takes than before
   */
  long ran(Execution execution) {
    answer = Replay.answer(entry, execution.result());
    // That of writes follows from the body, and is not needed if nothing comes late.
    footprint = isCall() ? execution.footprint() : footprint;
    long before = leftBytes;
    leftBytes = sizeBytes(answer) + execution.writtenBytes();
    return leftBytes - before;
  }

  private static long sizeBytes(@Nullable Answer answer) {
    return answer instanceof Answer.Returned(Bytes result) ? result.size() : 0;
  }

  long sizeBytes() {
    long footprintBytes = isCall() ? FOOTPRINT_BYTES : 0;
    return OVERHEAD_BYTES + footprintBytes + entry.body().sizeBytes() + leftBytes;
  }
}
