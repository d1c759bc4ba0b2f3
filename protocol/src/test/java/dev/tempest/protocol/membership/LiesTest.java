package dev.tempest.protocol.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.membership.Members.Effect;
import dev.tempest.protocol.membership.Members.Event;
import dev.tempest.wire.Message.Hosting;
import dev.tempest.wire.Message.MemberMessage;
import dev.tempest.wire.Message.MemberRecord;
import dev.tempest.wire.Message.MemberState;
import dev.tempest.wire.Message.Probe;
import dev.tempest.wire.Message.Roster;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three members, and somebody who says of them what is not true. */
final class LiesTest {
  private static final long MILLI = 1_000_000;
  private static final long SERVICE = 7;
  private static final Place ELSEWHERE = new Place("elsewhere");

  private static final MemberRecord LIAR =
      new MemberRecord(9, MemberState.PRESENT, 5, 0, "elsewhere", "");

  private record Place(String text) implements Address {}

  private record Letter(Address from, Address to, MemberMessage message) {}

  private final Map<Address, Members> members = new LinkedHashMap<>();
  private final Queue<Letter> network = new ArrayDeque<>();
  private long nowNanos = 1_700_000_000_000L * MILLI;

  @BeforeEach
  void joinThree() {
    for (long id = 1; id <= 3; id++) {
      Self self = new Self(id, "at" + id, "");
      MemberSettings settings = MemberSettings.of(List.of("at1", "at2", "at3"));
      Members member = new Members(settings, self, Place::new, id, nowNanos);
      members.put(new Place("at" + id), member);
      step(id, new Event.Hosts(nowNanos, new TreeSet<>(Set.of(SERVICE))));
    }
    pass(2_000);
    assertThatAllAreThere();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(longs = {1 << 20, (1L << 48) - 1, 1L << 48, Long.MAX_VALUE >> 1, Long.MAX_VALUE})
  void aHeartbeatThatJumpsSplitsNothing(long heartbeat) {
    for (MemberState state : MemberState.values()) {
      lie(1, roster(record(2, state, heartbeat, 1)));
      lie(1, roster(LIAR));
      lie(1, roster(LIAR, record(2, state, heartbeat, 1)));
      lie(2, roster(record(2, state, heartbeat, 1)));
      lie(2, roster(LIAR));
      lie(2, roster(LIAR, record(2, state, heartbeat, 1)));
      pass(5_000);
      assertThatAllAreThere();
    }
  }

  @Test
  void manySmallLiesAddUpToNothing() {
    lie(1, roster(LIAR));
    for (long heartbeat = 1; heartbeat < 1L << 40; heartbeat += heartbeat / 2 + 1) {
      lie(1, roster(LIAR, record(2, MemberState.LEFT, heartbeat, 1)));
    }
    pass(5_000);
    assertThatAllAreThere();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(longs = {2, 1 << 20, 1L << 48, Long.MAX_VALUE >> 1})
  void aListOfServicesThatJumpsHidesNothing(long revision) {
    lie(1, roster(record(2, MemberState.PRESENT, 1_000, revision)));
    lie(
        2,
        roster(
            record(9, MemberState.PRESENT, 1_000, 1), record(2, MemberState.PRESENT, 1, revision)));
    lie(3, new Hosting(2, revision, List.of()));
    pass(5_000);
    assertThatAllAreThere();
  }

  /** A stranger speaks for itself at most; its thousand friends are members once they speak. */
  @Test
  void oneRosterAddsNobodyThatHasNotSpoken() {
    MemberRecord[] friends =
        LongStream.range(100, 1_100)
            .mapToObj(id -> record(id, MemberState.PRESENT, 1, 0))
            .toArray(MemberRecord[]::new);
    lie(1, roster(LIAR, friends));
    assertThat(member(1).view()).containsOnlyKeys(1L, 2L, 3L, LIAR.id());
  }

  /** The real one is asked: it is there, and says who it is. */
  @Test
  void whoeverSpeaksForAnotherOneIsNotBelieved() {
    for (long heartbeat = 100; heartbeat < 110; heartbeat++) {
      lie(1, roster(record(2, MemberState.LEFT, heartbeat, 1)));
      assertThat(member(1).view()).containsOnlyKeys(1L, 2L, 3L);
    }
    lie(1, roster(record(9, MemberState.PRESENT, 1, 0)));
    assertThat(member(1).view()).containsOnlyKeys(1L, 2L, 3L);
    assertThat(network)
        .anyMatch(
            letter -> letter.to().equals(new Place("at2")) && letter.message() instanceof Probe);
  }

  @Test
  void whatSomebodyHostsItSaysItself() {
    lie(1, new Hosting(2, 100, List.of()));
    assertThatAllAreThere();
  }

  @Test
  void atOneAddressIsOneMember() {
    for (long id = 100; id < 200; id++) {
      MemberRecord here = new MemberRecord(id, MemberState.PRESENT, 1, 0, "elsewhere", "");
      lie(1, roster(here));
    }
    assertThat(member(1).view()).hasSizeLessThanOrEqualTo(4);
    MemberRecord usurper = new MemberRecord(99, MemberState.PRESENT, 1, 0, "at2", "");
    lie(1, roster(usurper));
    assertThat(member(1).view()).containsOnlyKeys(1L, 2L, 3L, 199L);
  }

  private void assertThatAllAreThere() {
    members
        .values()
        .forEach(each -> {
          assertThat(each.view().keySet()).contains(1L, 2L, 3L);
          assertThat(each.hosts().get(SERVICE)).containsKeys(1L, 2L, 3L);
          assertThat(each.knowsHosts()).isTrue();
        });
  }

  private static MemberRecord record(long id, MemberState state, long heartbeat, long revision) {
    return new MemberRecord(id, state, heartbeat, revision, "at" + id, "");
  }

  private static Roster roster(MemberRecord sender, MemberRecord... others) {
    return new Roster(sender, List.of(others), List.of());
  }

  private Members member(long id) {
    return Objects.requireNonNull(members.get(new Place("at" + id)));
  }

  private void lie(long to, MemberMessage message) {
    step(to, new Event.Received(nowNanos, ELSEWHERE, message));
  }

  private void step(long id, Event event) {
    Place from = new Place("at" + id);
    for (Effect effect : member(id).step(event)) {
      switch (effect) {
        case Effect.Send(var to, var message) -> network.add(new Letter(from, to, message));
        case Effect.Announce announced -> {}
        case Effect.Knock knock -> {} // All answer.
      }
    }
    member(id).checkInvariants();
  }

  private void pass(long millis) {
    for (long end = nowNanos + millis * MILLI; nowNanos < end; nowNanos += 10 * MILLI) {
      for (long id = 1; id <= 3; id++) {
        if (member(id).nextTickNanos() <= nowNanos) {
          step(id, new Event.Tick(nowNanos));
        }
      }
      for (Letter letter = network.poll(); letter != null; letter = network.poll()) {
        if (letter.to() instanceof Place(String at) && members.containsKey(letter.to())) {
          long id = Long.parseLong(at.substring(2));
          step(id, new Event.Received(nowNanos, letter.from(), letter.message()));
        }
      }
    }
  }
}
