package dev.tempest.protocol.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.protocol.Address;
import dev.tempest.wire.Message.Hosting;
import dev.tempest.wire.Message.MemberRecord;
import dev.tempest.wire.Message.MemberState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class HostsTest {
  private static final long ME = 9;
  private static final long AGAIN_NANOS = 40_000_000;

  private static final long SILENT_NANOS = 2_000_000_000L;

  private record Place(String text) implements Address {}

  private final Place here = new Place("here");
  private final MemberTable table = new MemberTable(here, Place::new, 250_000_000, 60_000_000_000L);
  private final Hosts hosts = new Hosts(table, new Self(ME, "here", ""), here, AGAIN_NANOS);

  @Test
  void whoNeverSaysWhatItHostsIsNotWaitedForForEver() {
    table.take(new MemberRecord(1, MemberState.PRESENT, 1, 1, "there", ""), new Place("there"), 0);
    hosts.host(List.of(7L));
    for (int asked = 0; asked < Hosts.ASKED_IN_VAIN; asked++) {
      assertThat(hosts.isKnown()).isFalse();
      hosts.ask(hosts.nextAskNanos(), new ArrayList<>());
    }
    assertThat(hosts.isKnown()).isTrue();
    assertThat(hostsOf(7)).containsExactly(ME);

    assertThat(hosts.nextAskNanos()).as("asked all the same").isLessThan(Long.MAX_VALUE);
    table.take(new Hosting(1, 1, List.of(7L)), new Place("there"));
    hosts.refresh();
    assertThat(hostsOf(7)).containsExactly(1L, ME);
  }

  @Test
  void whoIsSilentAndLivesMayHostWhatItIsNotKnownNotToHost() {
    table.take(new MemberRecord(1, MemberState.PRESENT, 1, 1, "there", ""), new Place("there"), 0);
    table.take(new MemberRecord(2, MemberState.PRESENT, 1, 1, "known", ""), new Place("known"), 0);
    table.take(new Hosting(2, 1, List.of(8L)), new Place("known"));
    hosts.host(List.of(7L));
    table.sweep(SILENT_NANOS, SILENT_NANOS);
    hosts.refresh();
    assertThat(hostsOf(7)).containsExactly(ME);
    assertThat(hosts.mayHost(7).keySet()).containsExactly(1L, ME);
    List<Members.Effect> effects = new ArrayList<>();
    hosts.ask(hosts.nextAskNanos(), effects);
    assertThat(effects).containsExactly(new Members.Effect.Knock(new Place("there")));

    var before = hosts.all();
    hosts.knocked(new Place("there"), Occupant.SILENT);
    assertThat(hosts.mayHost(7).keySet()).as("busy").containsExactly(1L, ME);
    hosts.knocked(new Place("there"), Occupant.UNREACHABLE);
    assertThat(hosts.mayHost(7).keySet()).as("cut off, maybe").containsExactly(1L, ME);
    assertThat(hosts.nextAskNanos()).as("it is knocked at again").isLessThan(Long.MAX_VALUE);
    hosts.knocked(new Place("there"), Occupant.NONE);
    assertThat(hosts.mayHost(7).keySet()).as("dead").containsExactly(ME);
    assertThat(hosts.all()).as("whoever follows them looks again").isNotSameAs(before);
    assertThat(hosts.nextAskNanos()).as("nobody is to be knocked at").isEqualTo(Long.MAX_VALUE);
  }

  private Set<Long> hostsOf(long service) {
    return hosts.all().getOrDefault(service, Collections.emptySortedMap()).keySet();
  }
}
