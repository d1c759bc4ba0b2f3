package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.wire.LogMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A group is founded once, by all that may ever be its members. */
final class FoundingTest {
  private static final long AGAIN = 10;
  private static final List<Long> ALL = List.of(1L, 2L, 3L);

  private record Mail(long from, long to, LogMessage.OfFoundation said) {}

  private final Map<Long, Founding> machines = new LinkedHashMap<>();
  private final Map<Long, List<Long>> founded = new LinkedHashMap<>();
  private final List<Mail> mail = new ArrayList<>();
  private long lives;
  private long now;

  /** A group that starts again elects a leader, and nothing is lost. */
  @Test
  void nothingIsSaidToBeLostBeforeAllAreHereForLong() {
    Founding machine = start(1);
    long late = 1_000_000;
    assertThat(machine.why(2, late)).startsWith("2 of the 3 members");
    assertThat(machine.why(3, late + AGAIN)).isNull();
    assertThat(machine.why(3, 2 * late)).startsWith("another member belongs to a group already");
    assertThat(machine.why(2, 2 * late)).startsWith("2 of the 3 members");
    assertThat(machine.why(3, 2 * late + AGAIN)).isNull();
  }

  /** They have no folders from which anything could come back. */
  @Test
  void whereLogsAreInMemoryItIsNotAdvisedToStartMembersWithWhatTheyHad() {
    Founding machine = new Founding(1, ALL.size(), false, false, AGAIN, 0);
    long late = 1_000_000;
    assertThat(machine.why(3, late)).isNull();
    assertThat(machine.why(3, 2 * late))
        .contains("what the group had is lost: then end all, and start them again")
        .doesNotContain("folder");
  }

  private Founding start(long id) {
    return start(id, false);
  }

  private Founding start(long id, boolean hasLostLog) {
    Founding machine = new Founding(id, ALL.size(), true, hasLostLog, AGAIN, lives++);
    machines.put(id, machine);
    return machine;
  }

  private Outbox outbox(long from) {
    return (to, message) -> mail.add(new Mail(from, to, (LogMessage.OfFoundation) message));
  }

  private void tick(long id, List<Long> present) {
    now += AGAIN;
    hears(id, machine(id).tick(present, now, outbox(id)));
  }

  private Founding machine(long id) {
    return Objects.requireNonNull(machines.get(id));
  }

  private void hears(long id, @Nullable List<Long> members) {
    if (members != null) {
      founded.put(id, members);
    }
  }

  private void deliver() {
    while (!mail.isEmpty()) {
      Mail next = mail.removeFirst();
      if (machines.containsKey(next.to)) {
        hears(next.to, machine(next.to).received(next.from, next.said, outbox(next.to)));
      }
    }
  }

  @Test
  void allThatAreThereFoundIt() {
    ALL.forEach(this::start);
    ALL.forEach(each -> tick(each, ALL));
    deliver();
    assertThat(founded).hasSize(3).containsValue(ALL);
  }

  @Test
  void nobodyFoundsItWhileOneIsMissing() {
    ALL.forEach(this::start);
    tick(1, List.of(1L, 2L));
    deliver();
    assertThat(founded).isEmpty();
  }

  @Test
  void oneThatDoesNotAnswerHoldsItUp() {
    start(1);
    start(2);
    tick(1, ALL);
    deliver();
    assertThat(founded).isEmpty();
    start(3);
    tick(1, ALL);
    deliver();
    assertThat(founded).hasSize(3);
  }

  /** Its group may live, and would have another one beside it. */
  @Test
  void whoHasLostItsLogFoundsNone() {
    start(1, true);
    start(2);
    start(3, true);
    for (int i = 0; i < 5; i++) {
      ALL.forEach(each -> tick(each, ALL));
      deliver();
    }
    assertThat(founded).isEmpty();
  }

  /** Else the next one founds a group of which the others know nothing. */
  @Test
  void answersToAnEarlierLifeDoNotCount() {
    ALL.forEach(this::start);
    tick(1, ALL);
    deliverAll(LogMessage.Found.class);
    List<Mail> late = List.copyOf(mail);
    mail.clear();
    start(1);
    tick(1, ALL);
    mail.clear();
    mail.addAll(late);
    deliver();
    assertThat(founded).isEmpty();
  }

  /** The one that asked has ended before anybody heard that all had agreed. */
  @Test
  void whoAgreesToAnotherOneForgetsWhatItAgreedToBefore() {
    ALL.forEach(this::start);
    tick(1, ALL);
    deliverAll(LogMessage.Found.class);
    deliverAll(LogMessage.Joins.class);
    assertThat(founded).containsOnlyKeys(1L);
    List<Mail> late = List.copyOf(mail);
    mail.clear();
    founded.clear();
    machines.remove(1L);
    start(4);
    List<Long> others = List.of(2L, 3L, 4L);
    tick(2, others);
    deliver();
    assertThat(founded).containsOnlyKeys(2L, 3L, 4L).containsValue(others);
    founded.clear();
    mail.addAll(late);
    deliver();
    assertThat(founded).isEmpty();
  }

  /** Its own question is void: the other one may have founded a group with it meanwhile. */
  @Test
  void whoAgreesToAnotherOneFoundsNoneItself() {
    ALL.forEach(this::start);
    tick(1, ALL);
    deliverAll(LogMessage.Found.class);
    List<Long> others = List.of(0L, 1L, 2L);
    hears(1, machine(1).received(0, new LogMessage.Found(1, others), outbox(1)));
    deliver();
    assertThat(founded).isEmpty();
  }

  private void deliverAll(Class<? extends LogMessage.OfFoundation> kind) {
    for (Mail next : List.copyOf(mail)) {
      if (kind.isInstance(next.said)) {
        mail.remove(next);
        hears(next.to, machine(next.to).received(next.from, next.said, outbox(next.to)));
      }
    }
  }
}
