package dev.tempest.wire;

import dev.tempest.values.encoding.Bytes;
import java.util.List;

/** Which piece of a state is wanted. */
public sealed interface Wish {
  /** Of the settled version; the state says which. */
  record OfVersion(Bytes wish) implements Wish {}

  /** Of the client table as of what is settled: from a place on, an unsigned number. */
  record OfClients(long from) implements Wish {}

  /** Of the entries after it: those after this one. */
  record OfEntries(long stamp, RequestId id) implements Wish {
    /** From the first one on. */
    public static final OfEntries ALL = new OfEntries(0, new RequestId(Long.MIN_VALUE, 1));

    /** Those after some that have come, in order. */
    public static OfEntries after(List<Entry> some) {
      return some.isEmpty() ? ALL : new OfEntries(some.getLast().stamp(), some.getLast().id());
    }
  }
}
