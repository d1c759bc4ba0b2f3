package dev.tempest.sessions;

import java.util.Comparator;
import java.util.UUID;

/**
 * An attribute of a session, by what the session is known by however often its id changes.
 *
 * @param name those of users do not begin with {@link #RESERVED}
 */
record AttributeKey(UUID session, String name) implements Comparable<AttributeKey> {
  /** Begins the names of what a session has beside the attributes of users, and sorts first. */
  static final char RESERVED = '\0';

  /** The id that counts, of a session that got another one than it began with. */
  static final String ID = RESERVED + "id";

  static final String MAX_INACTIVE = RESERVED + "max-inactive";
  static final String INDEX = RESERVED + "index-";

  /** The most characters of the name of an attribute; so many has an index, and its value. */
  static final int NAME_MAX = 1_024;

  private static final String LAST = String.valueOf(Character.MAX_VALUE);
  private static final Comparator<AttributeKey> ORDER =
      Comparator.comparing(AttributeKey::session).thenComparing(AttributeKey::name);

  /** Before all that a session has. */
  static AttributeKey first(UUID session) {
    return new AttributeKey(session, "");
  }

  /** After all that a session has: no other name sorts behind it. */
  static AttributeKey last(UUID session) {
    return new AttributeKey(session, LAST);
  }

  /** Whether users may call an attribute so. */
  static boolean isName(String name) {
    return !name.isEmpty()
        && name.length() <= NAME_MAX
        && name.charAt(0) != RESERVED
        && name.charAt(0) != Character.MAX_VALUE;
  }

  /** How many a name takes in UTF-8, at most: a pair of surrogates takes fewer. */
  static int bytes(String name) {
    return name.chars().map(each -> each < 0x80 ? 1 : each < 0x800 ? 2 : 3).sum();
  }

  boolean isReserved() {
    return name.charAt(0) == RESERVED;
  }

  @Override
  public int compareTo(AttributeKey other) {
    return ORDER.compare(this, other);
  }
}
