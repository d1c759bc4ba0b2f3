package dev.tempest.protocol.membership;

import dev.tempest.protocol.Address;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a process says of itself.
 *
 * @param id 64 random bits of this incarnation: a restarted process is another member
 * @param address where others reach it, as text; not empty
 * @param name for people; may be empty
 */
public record Self(long id, String address, String name) {
  /** The longest address. */
  public static final int ADDRESS_CHARS_MAX = 128;

  /** The longest name. */
  public static final int NAME_CHARS_MAX = 64;

  /** Refuses what other members would ignore. */
  public Self {
    if (address.isEmpty() || address.length() > ADDRESS_CHARS_MAX) {
      throw new IllegalArgumentException(
          "the address of a member has 1 to %d characters, not %d: give it host and port"
              .formatted(ADDRESS_CHARS_MAX, address.length()));
    }
    if (name.length() > NAME_CHARS_MAX) {
      throw new IllegalArgumentException(
          "the name of a member has at most %d characters, not %d: shorten it"
              .formatted(NAME_CHARS_MAX, name.length()));
    }
  }

  /** What others know of it; refuses an address that is none. */
  Member member(Function<String, @Nullable Address> addresses) {
    Address reached = addresses.apply(address);
    if (reached == null) {
      throw new IllegalArgumentException("\"" + address + "\" is no address of this node");
    }
    return new Member(id, reached, address, name);
  }
}
