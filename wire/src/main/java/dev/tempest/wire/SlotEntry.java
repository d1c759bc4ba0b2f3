package dev.tempest.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What stands in one slot of the log of a group. */
public sealed interface SlotEntry {
  /** What it takes in memory beside its contents, about. */
  int BASE_BYTES = 128;

  /** What it takes in memory, about. */
  default int sizeBytes() {
    return BASE_BYTES;
  }

  /** Of the update that it is; null if it is none. */
  default @Nullable RequestId id() {
    return null;
  }

  /** A leader begins: all before it is in the log for good once this is. */
  record Begun(Ballot ballot) implements SlotEntry {}

  /** These are the members, from the moment at which a replica has this, committed or not. */
  record Members(List<Long> members) implements SlotEntry {
    /** Each replica has a copy of the whole: more than a few only take time. */
    public static final int COUNT_MAX = 64;

    /** Keeps a copy. */
    public Members {
      members = List.copyOf(members);
      if (members.isEmpty() || members.stream().distinct().count() < members.size()) {
        throw new IllegalArgumentException("each member is one, and there is one: " + members);
      }
    }
  }

  /**
   * So late it is, and nothing was asked for meanwhile: what has expired by then goes.
   *
   * @param millis since 1970, not negative; not before that of any earlier entry
   */
  record Passed(long millis) implements SlotEntry {}

  /**
   * An update that somebody asked for, and that its leader has executed.
   *
   * @param millis when it counts, as in {@link Passed}
   * @param answeredBelow its client has the answers to all its updates with lower sequences
   * @param body what it does
   */
  record Proposed(RequestId id, long millis, long answeredBelow, Body body) implements SlotEntry {
    @Override
    public int sizeBytes() {
      return BASE_BYTES + body.sizeBytes();
    }
  }

  /**
   * An update that somebody asked for, and that every replica executes.
   *
   * @param millis when it counts, as in {@link Passed}: the time that its execution sees
   * @param answeredBelow as in {@link Proposed}
   * @param outcome a hash of what it wrote and answered where it was proposed, and so everywhere
   */
  record Called(RequestId id, long millis, long answeredBelow, Call call, long outcome)
      implements SlotEntry {
    @Override
    public int sizeBytes() {
      return BASE_BYTES + call.sizeBytes();
    }
  }
}
