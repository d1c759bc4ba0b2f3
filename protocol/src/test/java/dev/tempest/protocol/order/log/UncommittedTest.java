package dev.tempest.protocol.order.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.order.Quorum;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.TimedMap;
import dev.tempest.state.versioned.Footprint;
import dev.tempest.state.versioned.Version;
import dev.tempest.state.versioned.VersionedAction;
import dev.tempest.state.versioned.VersionedState;
import dev.tempest.state.versioned.WrittenKeys;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Executed;
import dev.tempest.wire.LogPoint;
import dev.tempest.wire.RequestId;
import dev.tempest.wire.SlotEntry;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is known of a log, of which more or less is committed. */
final class UncommittedTest {
  private final VersionedState state = new VersionedState();
  private final TimedMap<String, String> map = state.map("map", String.class, String.class);
  private final Uncommitted uncommitted = new Uncommitted(ServiceInstance.ofState(state));
  private final Consensus group =
      new Consensus(
          new Group(1, Quorum.MAJORITY, 20, 100, false, Group.Leases.MEMBERS, 4, 1_000), 1, 0);
  private final Log log = group.acceptor.log();
  private Version version = state.emptyVersion();
  private long sequence;

  @Test
  void whatIsCommittedIsForgotten() {
    log.add(entry(1, "a"));
    log.add(entry(1, "b"));
    assertThat(written()).isEqualTo("ab");
    log.commit(1);
    log.add(entry(1, "c"));
    assertThat(written()).isEqualTo("bc");
    log.commit(3);
    assertThat(keys()).isSameAs(WrittenKeys.NONE);
  }

  @Test
  void soIsWhatAnotherLeaderHasReplaced() {
    Stream.of("a", "b", "c").forEach(key -> log.add(entry(1, key)));
    assertThat(written()).isEqualTo("abc");
    log.replace(1, List.of(entry(1, "d"), entry(1, "e")));
    assertThat(written()).isEqualTo("ade");
    log.replace(1, List.of());
    assertThat(written()).isEqualTo("a");
  }

  @Test
  void soIsWhatIsInAStateThatWasTaken() {
    log.add(entry(1, "a"));
    assertThat(written()).isEqualTo("a");
    log.restart(new LogPoint(10, List.of(1L), 0, 0, 0));
    assertThat(keys()).isSameAs(WrittenKeys.NONE);
    log.add(entry(1, "b"));
    assertThat(written()).isEqualTo("b");
  }

  @Test
  void whoLooksAgainAfterAWhileSeesAll() {
    log.add(entry(1, "a"));
    assertThat(written()).isEqualTo("a");
    uncommitted.forget();
    log.add(entry(1, "b"));
    assertThat(written()).isEqualTo("ab");
  }

  @Test
  void whatIsTooLargeMayWriteAnything() {
    log.add(entry(1, "a", "x".repeat(Uncommitted.WRITES_MAX_BYTES)));
    assertThat(keys()).isSameAs(WrittenKeys.EVERYTHING);
    log.commit(1);
    assertThat(keys()).isSameAs(WrittenKeys.NONE);
  }

  @Test
  void soMayWhatIsBeyondTheFirstThousand() {
    for (int i = 0; i < Uncommitted.ENTRIES_MAX; i++) {
      log.add(entry(1, "a"));
    }
    assertThat(written()).isEqualTo("a");
    log.add(entry(1, "b"));
    assertThat(keys()).isSameAs(WrittenKeys.EVERYTHING);
    log.commit(1);
    assertThat(written()).isEqualTo("ab");
  }

  @Test
  void whatWritesNothingMeetsNobody() {
    log.add(new SlotEntry.Members(List.of(1L)));
    log.add(new SlotEntry.Passed(5));
    assertThat(keys()).isSameAs(WrittenKeys.NONE);
  }

  /** By the time of an entry that is not committed it would be gone. */
  @Test
  void whereSomethingIsAboutToExpireNothingIsCertain() {
    VersionedAction action = state.begin(version, 1_000, 0);
    map.put("a", "", Duration.ofMillis(500));
    version = action.commit();
    log.add(new SlotEntry.Passed(1_499));
    log.add(entry(1_499, "b"));
    assertThat(written()).isEqualTo("b");
    log.add(entry(1_500, "c"));
    assertThat(keys()).isSameAs(WrittenKeys.EVERYTHING);
    log.replace(2, List.of(new SlotEntry.Passed(1_499)));
    assertThat(written()).isEqualTo("b");
  }

  private WrittenKeys keys() {
    return uncommitted.keys(group, version);
  }

  /** Which of a few keys are written. */
  private String written() {
    WrittenKeys keys = keys();
    return Stream.of("a", "b", "c", "d", "e")
        .filter(key -> keys.meets(reading(key)))
        .collect(Collectors.joining());
  }

  private Footprint reading(String key) {
    VersionedAction action = state.beginTraced(version, 0, 0);
    boolean unused = map.containsKey(key);
    action.abort();
    return action.footprint();
  }

  private SlotEntry entry(long millis, String key) {
    return entry(millis, key, "");
  }

  private SlotEntry entry(long millis, String key, String value) {
    VersionedAction action = state.begin(state.emptyVersion(), 0, 0);
    map.put(key, value);
    ByteWriter writer = new ByteWriter(1 << 20);
    state.writeChange(action.change(), writer);
    action.abort();
    sequence++;
    return new SlotEntry.Proposed(
        new RequestId(1, sequence),
        millis,
        0,
        new Executed(1, writer.toBytes(), new Answer.Returned(Bytes.EMPTY)));
  }
}
