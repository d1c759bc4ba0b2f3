package dev.tempest.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tempest.simulator.ServiceExperiment.Result;
import dev.tempest.simulator.ServiceExperiment.Settings;
import dev.tempest.simulator.ServiceWorkload.Ask;
import dev.tempest.simulator.ServiceWorkload.Asking;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceExperimentTest {
  private static final List<ServiceKind> SEVEN = List.of(ServiceKind.values());
  private static final int CLIENTS = 4;
  private static final int EVERY_MILLIS = 50;
  private static final int MEASURED_MILLIS = 10_000;
  private static final int MILLI = 1_000_000;

  @Test
  void sameSeedSameResult() {
    Settings settings = settings(SEVEN, 3, Asking.adaptive(2), 3, false, 1);
    Result once = ServiceExperiment.run(settings);
    Result again = ServiceExperiment.run(settings);
    assertThat(again.readNanos()).isEqualTo(once.readNanos());
    assertThat(again.updateNanos()).isEqualTo(once.updateNanos());
    assertThat(again.executions()).isEqualTo(once.executions());
    Result other = ServiceExperiment.run(settings(SEVEN, 3, Asking.adaptive(2), 3, false, 2));
    assertThat(other.readNanos()).isNotEqualTo(once.readNanos());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 7})
  void aRequestGoesToSoManyDifferentServices(int perRequest) {
    ServiceWorkload workload =
        new ServiceWorkload(SEVEN, perRequest, CLIENTS, EVERY_MILLIS, Asking.adaptive(2));
    List<Ask> asks = Stream.generate(workload.requests(0, 1)::next).limit(2_000).toList();
    assertThat(asks)
        .allMatch(ask -> ask.services().stream().distinct().count() == perRequest)
        .allMatch(ask -> SEVEN.size() > ask.services().getLast());
    assertThat(asks.stream().filter(Ask::update).count()).isBetween(900L, 1_100L);
    long ofTheLast = asks.stream().filter(ask -> ask.services().contains(6)).count();
    assertThat(ofTheLast / 2_000.0).isCloseTo(perRequest / 7.0, within(0.05));
  }

  @Test
  void clientsDifferAndEachRepeatsItself() {
    ServiceWorkload workload =
        new ServiceWorkload(SEVEN, 3, CLIENTS, EVERY_MILLIS, Asking.discovery());
    List<Ask> asks = Stream.generate(workload.requests(0, 1)::next).limit(50).toList();
    assertThat(Stream.generate(workload.requests(0, 1)::next).limit(50)).isEqualTo(asks);
    assertThat(Stream.generate(workload.requests(1, 1)::next).limit(50)).isNotEqualTo(asks);
  }

  @Test
  void eachClientSendsOnTime() {
    Result result = ServiceExperiment.run(settings(SEVEN, 7, Asking.adaptive(2), 3, false, 1));
    int sent = result.readNanos().length + result.updateNanos().length;
    assertThat(sent).isEqualTo(CLIENTS * MEASURED_MILLIS / EVERY_MILLIS);
    assertThat(result.unanswered()).isZero();
  }

  /** What an experiment is about: updates are executed by all, reads by k. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void updatesWorkEverywhereReadsWhereTheyAsk(int k) {
    int replicas = 4;
    List<ServiceKind> one = List.of(ServiceKind.CPU_SMALL);
    Result result = ServiceExperiment.run(settings(one, 1, Asking.adaptive(k), replicas, false, 1));
    long updates = result.updateNanos().length;
    long reads = result.readNanos().length;
    assertThat(result.executions()).isEqualTo(updates * replicas + reads * Math.min(k, replicas));
  }

  @Test
  void discoveryAsksAllOnceAndThenOne() {
    int replicas = 4;
    List<ServiceKind> one = List.of(ServiceKind.CPU_SMALL);
    Result result = ServiceExperiment.run(settings(one, 1, Asking.discovery(), replicas, false, 1));
    long updates = result.updateNanos().length;
    long reads = result.readNanos().length;
    assertThat(result.executions())
        .isEqualTo(updates * replicas + reads + (long) CLIENTS * (replicas - 1));
  }

  @Test
  void nothingIsFasterThanItsExecution() {
    List<ServiceKind> one = List.of(ServiceKind.CPU_SMALL);
    Result result = ServiceExperiment.run(settings(one, 1, Asking.adaptive(2), 3, false, 1));
    assertThat(Arrays.stream(result.readNanos())).allMatch(nanos -> nanos >= 9 * MILLI / 10);
    assertThat(Arrays.stream(result.updateNanos())).allMatch(nanos -> nanos >= 9 * MILLI / 10);
  }

  /** One thread executes seven services one after the other. */
  @Test
  void servicesOnOneServerTakeTurns() {
    List<ServiceKind> steady =
        List.of(ServiceKind.CPU_SMALL, ServiceKind.CPU_SMALL, ServiceKind.CPU_SMALL);
    Result apart = ServiceExperiment.run(settings(steady, 3, Asking.adaptive(1), 1, false, 1));
    Result together = ServiceExperiment.run(settings(steady, 3, Asking.adaptive(1), 1, true, 1));
    assertThat(together.executions()).isEqualTo(apart.executions());
    assertThat(Arrays.stream(together.readNanos())).allMatch(nanos -> nanos >= 27 * MILLI / 10);
    assertThat(Arrays.stream(apart.readNanos())).anyMatch(nanos -> nanos < 2 * MILLI);
    assertThat(together.busyShare()).isGreaterThan(2 * apart.busyShare());
  }

  @Test
  void refusesWhatCannotBe() {
    assertThatThrownBy(() -> new ServiceWorkload(SEVEN, 8, 1, 1, Asking.adaptive(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 7 services, not 8");
    assertThatThrownBy(() -> Asking.adaptive(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> settings(SEVEN, 1, Asking.adaptive(1), 0, false, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("replicas, not 0");
  }

  private static Settings settings(
      List<ServiceKind> services,
      int perRequest,
      Asking asking,
      int replicas,
      boolean together,
      long seed) {
    ServiceWorkload workload =
        new ServiceWorkload(services, perRequest, CLIENTS, EVERY_MILLIS, asking);
    return new Settings(workload, replicas, together, MILLI, 0, MEASURED_MILLIS, seed);
  }
}
