package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.order.Quorum;
import dev.tempest.protocol.order.View;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Who is to be a member. */
final class MembershipTest {
  private static final Address HERE = new Address() {};
  private static final View ALONE = new View(1, new TreeMap<>(Map.of(1L, HERE)));

  private final Membership membership =
      new Membership(
          new Group(1, Quorum.ALL, 20, 100, false, Group.Leases.NONE, false, 4, 1_000), 3);

  private List<Long> wanted(List<Long> members) {
    return membership.change(ALONE, members, 1).wanted().members();
  }

  /** A change without a member ended the replica as a bug. */
  @Test
  void whoLeavesBeforeThereIsAGroupIsTheOnlyOne() {
    membership.leave(List.of(1L));
    assertThat(wanted(List.of())).containsExactly(1L);
  }

  @Test
  void theLastOneThatLeavesStaysAMember() {
    membership.leave(List.of(1L));
    assertThat(wanted(List.of(1L))).containsExactly(1L);
  }
}
