package dev.tempest.protocol.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.membership.Members.Effect;
import dev.tempest.protocol.membership.Members.Event;
import dev.tempest.wire.Message.MemberMessage;
import dev.tempest.wire.Message.Roster;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Who has joined, and nobody heard of it. */
final class StrangersTest {
  private static final long NOW = 1_700_000_000_000_000_000L;
  private static final long SERVICE = 7;

  private record Place(String text) implements Address {}

  private long nowNanos = NOW;
  private final Members one = member(1);
  private final Members other = member(2);

  @Test
  void whoActsLikeAMemberAndIsNotKnownAsOneIsAskedWhoItIs() {
    Roster founding = found();
    assertThat(hear(other, 1, founding)).as("what gets lost").isNotEmpty();
    assertThat(one.view()).containsOnlyKeys(1L);

    List<Effect> said = one.step(new Event.Stranger(nowNanos, new Place("at2")));
    assertThat(one.step(new Event.Stranger(nowNanos, new Place("at2"))))
        .as("each of many messages asks")
        .isEmpty();
    for (int times = 0; times < 3; times++) {
      said = tell(other, 1, 2, said);
      said = tell(one, 2, 1, said);
    }
    assertThat(one.view()).containsOnlyKeys(1L, 2L);
    assertThat(one.hosts().get(SERVICE)).containsOnlyKeys(1L, 2L);
    assertThat(one.knowsHosts()).isTrue();
  }

  /** The first founds a cluster alone, and says so. */
  private Roster found() {
    while (true) {
      nowNanos = Math.max(nowNanos, one.nextTickNanos());
      for (Effect effect : one.step(new Event.Tick(nowNanos))) {
        if (effect instanceof Effect.Announce(Roster roster)) {
          return roster;
        }
      }
    }
  }

  private static Members member(long id) {
    Members member =
        new Members(MemberSettings.of(List.of()), new Self(id, "at" + id, ""), Place::new, id, NOW);
    member.step(new Event.Hosts(NOW, new TreeSet<>(Set.of(SERVICE))));
    return member;
  }

  private List<Effect> hear(Members to, long from, MemberMessage message) {
    List<Effect> said = to.step(new Event.Received(nowNanos, new Place("at" + from), message));
    to.checkInvariants();
    return said;
  }

  /** What it answers to what another one said to it. */
  private List<Effect> tell(Members to, long from, long at, List<Effect> said) {
    List<Effect> answers = new ArrayList<>();
    for (Effect effect : said) {
      if (effect instanceof Effect.Send(Place(String place), var message)
          && place.equals("at" + at)) {
        answers.addAll(hear(to, from, message));
      }
    }
    return answers;
  }
}
