package dev.tempest.protocol.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tempest.protocol.Address;
import dev.tempest.protocol.membership.Members.Effect;
import dev.tempest.protocol.membership.Members.Event;
import dev.tempest.protocol.membership.Members.Phase;
import dev.tempest.wire.Message.Heartbeat;
import dev.tempest.wire.Message.Hosting;
import dev.tempest.wire.Message.HostingRequest;
import dev.tempest.wire.Message.MemberMessage;
import dev.tempest.wire.Message.MemberRecord;
import dev.tempest.wire.Message.MemberState;
import dev.tempest.wire.Message.Probe;
import dev.tempest.wire.Message.Roster;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** One process, what it hears and what it says, step by step. */
final class MembersTest {
  private static final long MILLI = 1_000_000;
  private static final long ME = 50;
  private static final MemberSettings SETTINGS =
      MemberSettings.of(List.of("seed", "me", "not an address"));

  private record Place(String text) implements Address {}

  private static @Nullable Address address(String text) {
    return text.contains(" ") ? null : new Place(text);
  }

  private long nowNanos = 1_700_000_000_000L * MILLI;
  private final Members members =
      new Members(SETTINGS, new Self(ME, "me", "I myself"), MembersTest::address, 1, nowNanos);

  private static MemberRecord record(long id, MemberState state, long heartbeat) {
    return new MemberRecord(id, state, heartbeat, 0, "at" + id, "");
  }

  private static MemberRecord present(long id, long heartbeat) {
    return record(id, MemberState.PRESENT, heartbeat);
  }

  private static Roster roster(MemberRecord sender, MemberRecord... others) {
    return new Roster(sender, List.of(others), List.of());
  }

  private List<Effect> hear(MemberMessage message) {
    long sender =
        switch (message) {
          case Probe probe -> probe.prober().id();
          case Roster roster -> roster.sender().id();
          case Hosting hosting -> hosting.member();
          case HostingRequest request -> 1;
        };
    List<Effect> effects =
        members.step(new Event.Received(nowNanos, new Place("at" + sender), message));
    members.checkInvariants();
    return effects;
  }

  /** Lets time pass, with every tick at its time; what it says meanwhile. */
  private List<Effect> pass(long millis) {
    List<Effect> effects = new ArrayList<>();
    long untilNanos = nowNanos + millis * MILLI;
    while (members.nextTickNanos() <= untilNanos) {
      nowNanos = Math.max(nowNanos, members.nextTickNanos());
      effects.addAll(members.step(new Event.Tick(nowNanos)));
      members.checkInvariants();
    }
    nowNanos = untilNanos;
    return effects;
  }

  /** As {@link #pass}, and others are heard of all the time. */
  private void passHearing(long millis, long... ids) {
    for (long passed = 0; passed < millis; passed += 500) {
      pass(500);
      for (long id : ids) {
        hear(roster(present(id, 1_000 + nowNanos / MILLI % 1_000_000)));
      }
    }
  }

  private void join(long... others) {
    MemberRecord[] records =
        Arrays.stream(others).mapToObj(id -> present(id, 10)).toArray(MemberRecord[]::new);
    hear(roster(present(1, 10), records));
  }

  private static MemberRecord hosting(long id, long heartbeat, long revision) {
    return new MemberRecord(id, MemberState.PRESENT, heartbeat, revision, "at" + id, "");
  }

  private static List<String> askedWhatTheyHost(List<Effect> effects) {
    return effects.stream()
        .flatMap(effect ->
            effect instanceof Effect.Send(Place(String to), HostingRequest request)
                ? Stream.of(to)
                : Stream.of())
        .toList();
  }

  @Test
  void whoHostsSomethingElseIsAskedUntilItAnswers() {
    members.step(new Event.Hosts(nowNanos, new TreeSet<>(Set.of(7L))));
    pass(1);
    assertThat(
            askedWhatTheyHost(hear(roster(hosting(1, 10, 1), hosting(2, 10, 3), present(3, 10)))))
        .containsExactly("at1", "at2");
    assertThat(members.knowsHosts()).isFalse();

    hear(new Hosting(1, 1, List.of(7L, 8L)));
    assertThat(askedWhatTheyHost(pass(50))).containsExactly("at2");
    hear(new Hosting(2, 2, List.of(9L)));
    assertThat(members.knowsHosts()).as("an old list").isFalse();
    hear(new Hosting(2, 3, List.of()));

    assertThat(members.knowsHosts()).isTrue();
    assertThat(askedWhatTheyHost(pass(100))).isEmpty();
    assertThat(members.hosts().keySet()).containsExactly(7L, 8L);
    assertThat(hostsOf(7)).containsExactly(1L, ME);
  }

  @Test
  void whoIsSilentHostsNothing() {
    join(2);
    hear(roster(hosting(1, 20, 1)));
    hear(new Hosting(1, 1, List.of(7L)));
    assertThat(hostsOf(7)).containsExactly(1L);

    passHearing(3_000, 2);
    assertThat(members.hosts()).isEmpty();
    hear(roster(hosting(1, 5_000_000, 1)));
    assertThat(hostsOf(7)).containsExactly(1L);
  }

  private Set<Long> hostsOf(long service) {
    return members.hosts().getOrDefault(service, Collections.emptySortedMap()).keySet();
  }

  private static List<Roster> rosters(List<Effect> effects) {
    return effects.stream()
        .flatMap(effect ->
            effect instanceof Effect.Send(var to, Roster roster) ? Stream.of(roster) : Stream.of())
        .toList();
  }

  private static List<String> sentTo(List<Effect> effects) {
    return effects.stream()
        .flatMap(effect ->
            effect instanceof Effect.Send(Place(String to), var message)
                ? Stream.of(to)
                : Stream.of())
        .distinct()
        .sorted()
        .toList();
  }

  @Nested
  final class Finding {
    @Test
    void itProbesByAnnouncementAndAtEveryCandidateButItself() {
      List<Effect> effects = pass(0);
      assertThat(effects).hasSize(3).contains(new Effect.Knock(new Place("seed")));
      assertThat(effects.getFirst())
          .isEqualTo(
              new Effect.Announce(
                  new Probe(
                      new MemberRecord(ME, MemberState.PRESENT, 1, 0, "me", "I myself"), true)));
      assertThat(sentTo(effects)).containsExactly("seed");
    }

    @Test
    void aloneItFoundsAClusterSoon() {
      pass(200);
      assertThat(members.phase()).isEqualTo(Phase.PROBING);
      pass(50);
      assertThat(members.phase()).isEqualTo(Phase.ACTIVE);
      assertThat(members.founded()).isTrue();
      assertThat(members.view().keySet()).containsExactly(ME);
    }

    @Test
    void aProcessThatStallsAtTheStartFoundsNothingBeforeItHasAsked() {
      pass(0);
      nowNanos += 5_000 * MILLI;
      members.step(new Event.Tick(nowNanos));
      assertThat(members.phase()).isEqualTo(Phase.PROBING);
    }

    @Test
    void whatAMemberSaysMakesItAMemberThatTellsAllAtOnce() {
      pass(0);
      List<Effect> effects = hear(roster(present(1, 10), present(2, 10), present(3, 10)));
      assertThat(members.phase()).isEqualTo(Phase.ACTIVE);
      assertThat(members.founded()).isFalse();
      assertThat(members.view().keySet()).containsExactly(1L, 2L, 3L, ME);
      assertThat(sentTo(effects)).containsExactly("at1", "at2", "at3");
    }

    @Test
    void aGoodbyeIsNoWelcome() {
      pass(0);
      hear(new Probe(present(1, 9), true));
      hear(roster(record(1, MemberState.LEFT, 10)));
      assertThat(members.phase()).isEqualTo(Phase.PROBING);
    }

    @Test
    void theLowestIdOfThoseThatProbeFoundsAndWelcomesTheOthers() {
      pass(0);
      hear(new Probe(present(ME + 1, 1), true));
      List<Effect> effects = pass(250);
      assertThat(members.founded()).isTrue();
      assertThat(members.view().keySet()).containsExactly(ME, ME + 1);
      assertThat(rosters(effects)).isNotEmpty();
    }

    @Test
    void aHigherIdWaitsAndGoesOnWhenTheLowerOneIsNotHeardAnyMore() {
      for (int beat = 1; beat <= 10; beat++) {
        pass(40);
        hear(new Probe(present(ME - 1, beat), true));
      }
      assertThat(members.phase()).isEqualTo(Phase.PROBING);
      pass(300);
      assertThat(members.phase()).isEqualTo(Phase.ACTIVE);
    }

    @Test
    void itDoesNotWaitForEver() {
      for (int beat = 1; beat <= 30; beat++) {
        pass(40);
        hear(new Probe(present(ME - 1, beat), true));
      }
      assertThat(members.phase()).isEqualTo(Phase.ACTIVE);
    }

    @Test
    void oneThatProbesLearnsOfAnotherByItsAnswer() {
      pass(0);
      assertThat(hear(new Probe(present(7, 1), true)))
          .singleElement()
          .isInstanceOfSatisfying(
              Effect.Send.class, send -> assertThat(send.message()).isInstanceOf(Probe.class));
      assertThat(hear(new Probe(present(7, 2), true))).isEmpty();
    }

    @Test
    void aMemberAnswersAProbeAtOnceWithAllItKnows() {
      join(2, 3);
      List<Roster> answers = rosters(hear(new Probe(present(4, 1), false)));
      assertThat(answers).hasSize(1);
      assertThat(answers.getFirst().sender().id()).isEqualTo(ME);
      assertThat(answers.getFirst().others())
          .extracting(MemberRecord::id)
          .containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
      assertThat(members.view()).containsKey(4L);
    }

    @Test
    void ofManyMembersFewAnswerAnAnnouncement() {
      join(IntStream.rangeClosed(100, 1_000).asLongStream().toArray());
      int answered = 0;
      for (int probe = 0; probe < 200; probe++) {
        answered += hear(new Probe(present(7, probe), true)).isEmpty() ? 0 : 1;
      }
      assertThat(answered).isLessThan(20);
      assertThat(hear(new Probe(present(7, 200), false))).isNotEmpty();
    }

    @Test
    void itsOwnAnnouncementsMeanNothing() {
      pass(0);
      assertThat(hear(new Probe(present(ME, 1), true))).isEmpty();
      assertThat(hear(roster(present(ME, 1)))).isEmpty();
      assertThat(members.phase()).isEqualTo(Phase.PROBING);
    }

    @Test
    void newCandidatesAreTriedInsteadOfTheOldOnes() {
      pass(0);
      members.step(new Event.Candidates(nowNanos, List.of("elsewhere")));
      assertThat(sentTo(pass(40))).containsExactly("elsewhere");
    }

    @Test
    void aMemberGoesOnLookingForOtherClusters() {
      pass(300);
      List<Effect> effects = pass(3_000);
      assertThat(sentTo(effects)).containsExactly("seed");
      assertThat(effects).anyMatch(effect -> effect instanceof Effect.Announce);
      List<Effect> answer = hear(roster(present(9, 70), present(8, 70)));
      assertThat(members.view().keySet()).containsExactly(9L, ME);
      hear(roster(present(9, 71), present(8, 70)));
      assertThat(members.view().keySet()).containsExactly(8L, 9L, ME);
      assertThat(sentTo(answer)).containsExactly("at9");
    }
  }

  @Nested
  final class KeepingTrack {
    @Test
    void whoIsNotHeardOfIsSilentThenExpelled() {
      join(2);
      passHearing(3_000, 1);
      assertThat(members.alive()).containsExactly(1L, ME);
      assertThat(members.view().keySet()).containsExactly(1L, 2L, ME);
      passHearing(60_000, 1);
      assertThat(members.view().keySet()).containsExactly(1L, ME);
    }

    @Test
    void theViewIsTheSameMapUntilItChanges() {
      join(2);
      var view = members.view();
      passHearing(3_000, 1);
      assertThat(members.view()).isSameAs(view);
      hear(roster(present(3, 1)));
      assertThat(members.view()).isNotSameAs(view);
    }

    @Test
    void oldRecordsDoNotBringBackWhoWasExpelledButANewHeartbeatDoes() {
      join(2);
      passHearing(62_000, 1);
      hear(roster(present(1, 5_000_000), present(2, 10)));
      assertThat(members.view()).doesNotContainKey(2L);
      hear(new Roster(present(1, 5_000_001), List.of(), List.of(new Heartbeat(2, 10))));
      assertThat(members.view()).doesNotContainKey(2L);
      hear(new Roster(present(1, 5_000_002), List.of(), List.of(new Heartbeat(2, 11))));
      assertThat(members.view()).containsKey(2L);
    }

    @Test
    void whoLeavesIsGoneAtOnceAndStaysSo() {
      join(2);
      hear(roster(record(2, MemberState.LEFT, 12)));
      assertThat(members.view().keySet()).containsExactly(1L, ME);
      hear(roster(present(2, 11)));
      hear(roster(present(1, 20), present(2, 12)));
      hear(new Probe(present(2, 12), false));
      assertThat(members.view().keySet()).containsExactly(1L, ME);
    }

    @Test
    void whoSpeaksAndIsTakenForGoneIsToldSoAtOnce() {
      join(2);
      hear(roster(present(1, 20), record(2, MemberState.EXPELLED, 30)));
      List<Roster> answer = rosters(hear(roster(present(2, 25))));
      assertThat(answer).hasSize(1);
      assertThat(answer.getFirst().others()).contains(record(2, MemberState.EXPELLED, 30));
    }

    @Test
    void itRefutesAtOnceThatItIsGone() {
      join(2);
      hear(roster(present(1, 20), new MemberRecord(ME, MemberState.EXPELLED, 500, 0, "me", "")));
      List<Roster> said = rosters(pass(0));
      assertThat(said)
          .isNotEmpty()
          .allMatch(roster ->
              roster.sender().heartbeat() > 500 && roster.sender().state() == MemberState.PRESENT);
    }

    @Test
    void whoWasAtItsOwnAddressBeforeIsGone() {
      join(2);
      MemberRecord old = new MemberRecord(77, MemberState.PRESENT, 900, 0, "me", "an earlier life");
      hear(roster(present(1, 20), old));
      hear(new Roster(present(1, 21), List.of(), List.of(new Heartbeat(77, 901))));
      assertThat(members.view()).doesNotContainKey(77L);
      assertThat(rosters(pass(300)))
          .anyMatch(roster ->
              roster.others().stream()
                  .anyMatch(each ->
                      each.id() == 77
                          && each.state() == MemberState.EXPELLED
                          && each.heartbeat() == 901));
    }

    @Test
    void aProcessThatWasStoppedDoesNotExpelTheOthers() {
      join(2);
      nowNanos += 600_000 * MILLI;
      members.step(new Event.Tick(nowNanos));
      assertThat(members.view().keySet()).containsExactly(1L, 2L, ME);
    }

    @Test
    void everybodyHasATurnBeforeAnybodyHasAnother() {
      join(2, 3, 4);
      pass(0);
      for (int cycle = 0; cycle < 3; cycle++) {
        List<Effect> twoRounds = pass(500);
        assertThat(rosters(twoRounds).size()).isLessThan(8);
        assertThat(sentTo(twoRounds)).contains("at1", "at2", "at3", "at4");
      }
    }

    @Test
    void whoIsSilentIsStillToldSoThatItComesBack() {
      join();
      pass(4_000);
      assertThat(members.alive()).containsExactly(ME);
      assertThat(sentTo(pass(250))).contains("at1");
    }
  }

  @Nested
  final class Leaving {
    @Test
    void itSaysGoodbyeToAllAFewTimesAndThenNothing() {
      join(2, 3);
      List<Effect> effects = new ArrayList<>(members.step(new Event.Leave(nowNanos)));
      assertThat(members.phase()).isEqualTo(Phase.LEAVING);
      effects.addAll(pass(1_000));
      assertThat(members.phase()).isEqualTo(Phase.LEFT);
      assertThat(members.nextTickNanos()).isEqualTo(Long.MAX_VALUE);
      assertThat(rosters(effects))
          .hasSize(9)
          .allMatch(roster -> roster.sender().state() == MemberState.LEFT);
      assertThat(sentTo(effects)).containsExactly("at1", "at2", "at3");
      assertThat(hear(new Probe(present(9, 1), false))).isEmpty();
    }

    @Test
    void nothingThatIsSaidKeepsItFromLeaving() {
      join(2);
      members.step(new Event.Leave(nowNanos));
      hear(roster(present(1, 20), new MemberRecord(ME, MemberState.EXPELLED, 500, 0, "me", "")));
      assertThat(rosters(pass(1_000)))
          .isNotEmpty()
          .allMatch(roster -> roster.sender().state() == MemberState.LEFT);
    }
  }

  @Nested
  final class Limits {
    @Test
    void theAbsurdIsIgnored() {
      join();
      String longText = "x".repeat(129);
      hear(
          roster(
              present(1, 20),
              new MemberRecord(2, MemberState.PRESENT, 1, 0, "", ""),
              new MemberRecord(3, MemberState.PRESENT, 1, 0, longText, ""),
              new MemberRecord(4, MemberState.PRESENT, 1, 0, "at4", longText),
              new MemberRecord(5, MemberState.PRESENT, 1, 0, "no address", ""),
              new MemberRecord(10, MemberState.PRESENT, 1, 0, "at10", "forges\na line"),
              present(6, MemberTable.COUNT_MAX + 1),
              record(7, MemberState.LEFT, 1)));
      hear(roster(present(1, MemberTable.COUNT_MAX + 1), present(8, 1)));
      assertThat(hear(new Probe(present(9, Long.MAX_VALUE), false))).isEmpty();
      assertThat(members.view().keySet()).containsExactly(1L, ME);
    }

    @Test
    void thereAreOnlySoManyMembersAndSoManyAreRemembered() {
      join();
      for (int round = 0; round < 4; round++) {
        for (int id = 0; id < 1_000; id++) {
          hear(roster(present(1_000_000L * round + 100 + id, 1)));
        }
        assertThat(members.view()).hasSizeLessThanOrEqualTo(MemberTable.MEMBERS_MAX + 1);
        pass(62_000);
      }
      assertThat(members.view().keySet()).containsExactly(ME);
    }

    @Test
    void settingsThatCannotWorkAreRefused() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new MemberSettings(List.of(), 40, 250, 250, 1_000, 300, 60_000, 1_400))
          .withMessageContaining("300");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new MemberSettings(List.of(), 40, 250, 250, 1_000, 2_000, 60_000, 99))
          .withMessageContaining("99");
      assertThatIllegalArgumentException().isThrownBy(() -> new Self(1, "", ""));
      assertThatIllegalArgumentException()
          .isThrownBy(() ->
              new Members(SETTINGS, new Self(1, "no address", ""), MembersTest::address, 1, 1));
    }
  }
}
