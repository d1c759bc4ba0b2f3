package dev.tempest.state.versioned;

/** The entries that a caller sees at some time. */
final class VisibleCursor<K> implements Cursor<K, Object> {
  private final Cursor<K, Object> entries;
  private final long nowMillis;

  VisibleCursor(Keyed<K> root, long nowMillis) {
    this.entries = root.entries().cursor();
    this.nowMillis = nowMillis;
  }

  @Override
  public boolean advance() {
    while (entries.advance()) {
      if (Lease.isThere(entries.value(), nowMillis)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public K key() {
    return entries.key();
  }

  @Override
  public Object value() {
    return entries.value();
  }
}
