package dev.tempest.protocol.membership;

import dev.tempest.protocol.Address;
import dev.tempest.wire.Message.MemberState;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where processes may be that are not members: candidates, and those that were expelled. */
final class Elsewhere {
  private static final int CANDIDATES_AT_ONCE_MAX = 16;

  private static final int PROBED_AT_ONCE_MAX = 32;

  private final MemberTable table;
  private final Address self;
  private List<Address> candidates = List.of();
  private int next;

  Elsewhere(MemberTable table, Address self) {
    this.table = table;
    this.self = self;
  }

  /** Processes may be there; what {@code addresses} cannot read is left out. */
  void candidates(List<String> texts, Function<String, @Nullable Address> addresses) {
    candidates =
        texts.stream()
            .map(addresses)
            .flatMap(Stream::ofNullable)
            .filter(each -> !each.equals(self))
            .distinct()
            .toList();
  }

  /** Whether a process may be there. */
  boolean isPlace(Address address) {
    return candidates.contains(address)
        || table.all().stream()
            .anyMatch(known -> known.isPresent() && known.address().equals(address));
  }

  /** The next candidates, and everybody that was heard of: for one who is no member yet. */
  Set<Address> toProbe() {
    Set<Address> targets = new LinkedHashSet<>();
    for (int i = 0; i < Math.min(CANDIDATES_AT_ONCE_MAX, candidates.size()); i++) {
      next = (next + 1) % candidates.size();
      targets.add(candidates.get(next));
    }
    for (Known known : table.all()) {
      if (targets.size() < PROBED_AT_ONCE_MAX && known.isPresent()) {
        targets.add(known.address());
      }
    }
    return targets;
  }

  /** Some addresses at which no member is. */
  List<Address> some(int max, SplittableRandom random) {
    Set<Address> members = new LinkedHashSet<>();
    Set<Address> strangers = new LinkedHashSet<>(candidates);
    for (Known known : table.all()) {
      if (known.isPresent()) {
        members.add(known.address());
      } else if (known.state == MemberState.EXPELLED) {
        strangers.add(known.address());
      }
    }
    strangers.removeAll(members);
    strangers.remove(self);
    List<Address> some = new ArrayList<>(strangers);
    while (some.size() > max) {
      some.remove(random.nextInt(some.size()));
    }
    return some;
  }
}
