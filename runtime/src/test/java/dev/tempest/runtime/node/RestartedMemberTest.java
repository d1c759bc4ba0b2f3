package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.MemberChange;
import dev.tempest.MemberChange.Kind;
import dev.tempest.protocol.membership.Member;
import dev.tempest.runtime.transport.PeerAddress;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** What is told of a member that has restarted at its address. */
final class RestartedMemberTest {
  private static final long SELF = 1;

  private final Attendance attendance = new Attendance();
  private final BlockingQueue<MemberChange> told = new LinkedBlockingQueue<>();

  @Test
  void leavesThenJoinsWhileItsEarlierLifeIsStillAMember() throws InterruptedException {
    attendance.add(told::add);
    look(Set.of(SELF, 5L), member(SELF, 0), member(5, 1));
    look(Set.of(SELF, 5L, 3L), member(SELF, 0), member(5, 1), member(3, 1));
    look(Set.of(SELF, 3L), member(SELF, 0), member(5, 1), member(3, 1));
    look(Set.of(SELF, 3L), member(SELF, 0), member(3, 1));
    look(Set.of(SELF), member(SELF, 0));

    assertThat(List.of(told.take(), told.take(), told.take()))
        .containsExactly(change(Kind.LEFT, 5), change(Kind.JOINED, 3), change(Kind.LEFT, 3));
    assertThat(told).isEmpty();
  }

  @Test
  void leavesThenJoinsWhereBothAreHeardAtOnce() throws InterruptedException {
    attendance.add(told::add);
    look(Set.of(SELF, 5L), member(SELF, 0), member(5, 1));
    look(Set.of(SELF), member(SELF, 0), member(5, 1));
    look(Set.of(SELF, 3L), member(SELF, 0), member(3, 1));

    assertThat(List.of(told.take(), told.take(), told.take()))
        .containsExactly(change(Kind.SILENT, 5), change(Kind.LEFT, 5), change(Kind.JOINED, 3));
    assertThat(told).isEmpty();
  }

  private void look(Set<Long> alive, Member... members) {
    SortedMap<Long, Member> view = new TreeMap<>();
    for (Member member : members) {
      view.put(member.id(), member);
    }
    attendance.look(view, new TreeSet<>(alive));
  }

  private static MemberChange change(Kind kind, long id) {
    return new MemberChange(kind, address(1), "life-" + id);
  }

  private static Member member(long id, int seat) {
    return new Member(id, PeerAddress.all(address(seat)).getFirst(), address(seat), "life-" + id);
  }

  private static String address(int seat) {
    return "127.0.0.1:" + (7_400 + seat);
  }
}
