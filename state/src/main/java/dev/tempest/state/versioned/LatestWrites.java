package dev.tempest.state.versioned;

import java.util.LinkedHashMap;

/**
 * Where in a log the keys of a state were written last, of the latest entries; so it tells whether
 * an execution would do the same again after entries that it did not see.
 *
 * <p>Guarantees that whoever {@linkplain #meets meets} nothing would; who does may, too: of old
 * entries it is not known. Not thread-safe.
 */
public final class LatestWrites {
  private static final int NUMBERS_MAX = 1 << 16;

  private final int numbersMax;

  /** By number of a key or object; those written longest ago first. */
  private final LinkedHashMap<Integer, Written> latest = new LinkedHashMap<>();

  /** Whatever was written. */
  private Written newest = Written.NEVER;

  /** Of the slots below it is not known what they wrote. */
  private long knownFrom;

  /**
   * Who wrote last.
   *
   * @param otherSlot where anybody else did
   */
  private record Written(long slot, long writer, long otherSlot) {
    static final Written NEVER = new Written(-1, 0, -1);

    Written and(long nextSlot, long nextWriter) {
      return new Written(nextSlot, nextWriter, nextWriter == writer ? otherSlot : slot);
    }

    /** The last slot that another one than this wrote. */
    long slotOfAnother(long own) {
      return writer == own ? otherSlot : slot;
    }
  }

  /** Nothing is known of the slots below. */
  public LatestWrites(long knownFrom) {
    this(knownFrom, NUMBERS_MAX);
  }

  LatestWrites(long knownFrom, int numbersMax) {
    this.knownFrom = knownFrom;
    this.numbersMax = numbersMax;
  }

  /** A change stands in a slot; slots rise. */
  public void add(Footprint change, long slot, long writer) {
    if (!change.hasWrites()) {
      latest.clear();
      knownFrom = slot + 1;
      return;
    }
    newest = newest.and(slot, writer);
    Object[] log = change.log();
    for (int at = 0; at < log.length; at += Footprint.LOG_STEP) {
      StateObject<?, ?> object = (StateObject<?, ?>) log[at];
      put(Footprint.number(object, log[at + 1]), slot, writer);
      put(Footprint.number(object), slot, writer);
    }
  }

  private void put(int number, long slot, long writer) {
    latest.putLast(number, latest.getOrDefault(number, Written.NEVER).and(slot, writer));
    while (latest.size() > numbersMax) {
      Written oldest = latest.pollFirstEntry().getValue();
      knownFrom = Math.max(knownFrom, oldest.slot() + 1);
    }
  }

  /**
   * Whether something that an execution touched may have been written from a slot on, by another
   * one than its own.
   *
   * @param executed what it touched
   * @param from it saw everything below, and all that its own wrote
   */
  public boolean meets(Footprint executed, long from, long own) {
    if (from < knownFrom) {
      return true;
    }
    if (executed.isEverything()) {
      return newest.slotOfAnother(own) >= from;
    }
    for (int number : executed.touched()) {
      Written written = latest.get(number);
      if (written != null && written.slotOfAnother(own) >= from) {
        return true;
      }
    }
    return false;
  }
}
