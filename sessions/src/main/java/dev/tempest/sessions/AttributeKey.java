package dev.tempest.sessions;

import java.util.Comparator;
import java.util.UUID;

/** An attribute of a session, by what the session is known by however often its id changes. */
record AttributeKey(UUID session, String name) implements Comparable<AttributeKey> {
  private static final Comparator<AttributeKey> ORDER =
      Comparator.comparing(AttributeKey::session).thenComparing(AttributeKey::name);

  /** Before all attributes of a session. */
  static AttributeKey first(UUID session) {
    return new AttributeKey(session, "");
  }

  @Override
  public int compareTo(AttributeKey other) {
    return ORDER.compare(this, other);
  }
}
