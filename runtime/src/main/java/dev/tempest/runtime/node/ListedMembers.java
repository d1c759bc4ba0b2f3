package dev.tempest.runtime.node;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.membership.Member;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The members that the configuration lists, by where they are: of a service whose order is by
 * consensus no others count.
 *
 * <p>Owned by the event loop.
 */
final class ListedMembers {
  private final long self;
  private Set<String> addresses;

  /** Those at these addresses, and this process. */
  ListedMembers(long self, Set<String> addresses) {
    this.self = self;
    this.addresses = addresses;
  }

  /** They are there by now; whether that is somewhere else. */
  boolean move(Set<String> there) {
    boolean moved = !addresses.equals(there);
    addresses = there;
    return moved;
  }

  /** Says which of them are no members now, and what to do; nothing if all are. */
  String absent(Map<Long, Member> view) {
    Set<String> absent = new TreeSet<>(addresses);
    view.values().forEach(member -> absent.remove(member.addressText()));
    return view.isEmpty() || absent.isEmpty()
        ? ""
        : ". Not here: %s. Start what is to run there, or mend its members and the network between"
            .formatted(String.join(", ", absent));
  }

  /** Those of some hosts that are listed. */
  SortedMap<Long, Address> among(SortedMap<Long, Address> hosts, Map<Long, Member> view) {
    SortedMap<Long, Address> some = new TreeMap<>();
    hosts.forEach((id, place) -> {
      @Nullable Member member = view.get(id);
      if (id == self || (member != null && addresses.contains(member.addressText()))) {
        some.put(id, place);
      }
    });
    return some;
  }
}
