package dev.tempest.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.state.Counter;
import dev.tempest.state.versioned.Version;
import dev.tempest.state.versioned.VersionedAction;
import dev.tempest.state.versioned.VersionedState;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A state that is changed from outside, and elsewhere by applying these changes. */
class StateServiceTest {
  private final VersionedState here = new VersionedState();
  private final Counter visits = here.counter("visits");
  private final ServiceInstance service = ServiceInstance.ofState(here);

  @Test
  void aChangeIsAppliedElsewhereWithoutRunningAnything() {
    ServiceInstance elsewhere = ServiceInstance.ofState(visits(new VersionedState()));
    Execution execution = elsewhere.apply(elsewhere.emptyVersion(), threeVisits());

    assertThat(execution.result()).isEqualTo(new Result.Returned(Bytes.EMPTY));
    assertThat(elsewhere.contents(execution.after())).containsEntry("visits", 3L);
  }

  @Test
  void bytesThatAreNoChangeLeaveTheVersionAsItWas() {
    Version before = service.emptyVersion();
    for (Bytes bytes : new Bytes[] {Bytes.of((byte) 99), withOneByteMore(threeVisits())}) {
      Execution execution = service.apply(before, bytes);
      assertThat(execution.after()).isSameAs(before);
      assertThat(execution.result()).isInstanceOf(Result.BadArguments.class);
    }
  }

  @Test
  void nothingCanBeAsked() {
    assertThat(service.description().methods()).isEmpty();
    assertThat(service.read(service.emptyVersion(), 1, Bytes.EMPTY, 0))
        .isInstanceOf(Result.UnknownMethod.class);
  }

  private Bytes threeVisits() {
    VersionedAction action = here.begin(service.emptyVersion(), 17, 0);
    visits.add(3);
    action.commit();
    ByteWriter writer = new ByteWriter(1_000);
    here.writeChange(action.change(), writer);
    return writer.toBytes();
  }

  private static VersionedState visits(VersionedState state) {
    state.counter("visits");
    return state;
  }

  private static Bytes withOneByteMore(Bytes bytes) {
    byte[] longer = Arrays.copyOf(bytes.toArray(), bytes.size() + 1);
    return Bytes.of(longer);
  }
}
