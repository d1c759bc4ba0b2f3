package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions;
import dev.tempest.runtime.FreePorts;
import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import dev.tempest.state.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Updates that a key names. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class OnceTest {
  /** Counts. */
  public interface Meter {
    @Update
    int add(int count);

    @Read
    int sum();
  }

  /** Over a value. */
  public static final class MeterService implements Meter {
    private final Value<Integer> sum;

    public MeterService(State state) {
      sum = state.value("sum", Integer.class);
    }

    @Override
    public int add(int count) {
      sum.set(sum() + count);
      return sum();
    }

    @Override
    public int sum() {
      Integer known = sum.get();
      return known == null ? 0 : known;
    }
  }

  @Test
  void whoeverRepeatsAnUpdateUnderItsKeyGetsItsAnswer() {
    try (Node node = join()) {
      node.host("meter", Meter.class, MeterService::new);
      var config =
          FrontEndConfig.builder(node.members().getFirst())
              .cluster("once-test")
              .multicastPort(0)
              .build();
      try (FrontEnd local = node.frontEnd();
          FrontEnd first = FrontEnd.connect(config);
          FrontEnd second = FrontEnd.connect(config)) {
        Meter here = local.service(Meter.class);
        Meter there = first.service(Meter.class);
        Meter elsewhere = second.service(Meter.class);

        assertThat(local.once("a", here).add(1)).isEqualTo(1);
        assertThat(here.add(10)).isEqualTo(11);
        assertThat(first.once("a", there).add(1)).isEqualTo(1);
        assertThat(second.once("a", elsewhere).add(1)).isEqualTo(1);
        assertThat(second.once("a", elsewhere).add(2)).isEqualTo(13); // Another request.
        assertThat(second.once("b", elsewhere).add(1)).isEqualTo(14);
        assertThat(local.once("a", here).sum()).isEqualTo(14);
      }
    }
  }

  @Test
  void theNameOfARequestIsThatOfItsKeyAndCall() {
    var config =
        FrontEndConfig.builder("127.0.0.1:17599").cluster("once-test").multicastPort(0).build();
    try (FrontEnd one = FrontEnd.connect(config);
        FrontEnd other = FrontEnd.connect(config)) {
      Meter meter = one.service(Meter.class);
      String name = one.request(one.once("a", meter), m -> m.add(1)).name().orElseThrow();

      assertThat(other.request(other.once("a", other.service(Meter.class)), m -> m.add(1)).name())
          .hasValue(name);
      assertThat(one.request(one.once("a", meter), m -> m.add(2)).name().orElseThrow())
          .isNotEqualTo(name);
      assertThat(one.request(meter, m -> m.add(1)).name()).isEmpty();
      assertThat(one.request(one.once("a", meter), Meter::sum).name()).isEmpty();
      Request<Integer> foreign = one.request(meter, Meter::sum);
      assertThatThrownBy(() -> other.outcome(foreign))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("another front-end");
    }
  }

  @Test
  void byConsensusToo() {
    String place = "127.0.0.1:" + FreePorts.find(1).getFirst();
    var config =
        NodeConfig.builder()
            .cluster("once-by-consensus")
            .listen(place)
            .members(place)
            .multicastPort(0);
    var options = ServiceOptions.builder().consistency(Consistency.LINEARIZABLE).build();
    try (Node node = Tempest.join(config.build());
        FrontEnd first = node.frontEnd();
        FrontEnd second = node.frontEnd()) {
      node.host("meter", Meter.class, MeterService::new, options);
      Meter meter = first.service(Meter.class);
      for (int i = 1; i <= 100; i++) {
        assertThat(first.once("key " + i, meter).add(1)).isEqualTo(i);
      }
      assertThat(second.once("key 1", second.service(Meter.class)).add(1)).isEqualTo(1);
      assertThat(second.once("key 100", second.service(Meter.class)).add(1)).isEqualTo(100);
      assertThat(meter.sum()).isEqualTo(100);
    }
  }

  @Test
  void thoseAtTheSameTimeWaitForTheFirst() {
    try (Node node = join();
        FrontEnd frontEnd = node.frontEnd()) {
      node.host("meter", Meter.class, MeterService::new);
      Meter meter = frontEnd.once("same", frontEnd.service(Meter.class));
      List<CompletableFuture<Outcome<Integer>>> all = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        all.add(frontEnd.async(meter, m -> m.add(1)));
      }

      assertThat(all).allSatisfy(each -> assertThat(each.join()).isEqualTo(new Outcome.Ok<>(1)));
      assertThat(meter.sum()).isEqualTo(1);
      assertThat(frontEnd.once("other", meter).add(1)).isEqualTo(2);
    }
  }

  @Test
  void whoClosesEndsThem() {
    var config =
        FrontEndConfig.builder("127.0.0.1:17599").cluster("once-test").multicastPort(0).build();
    FrontEnd frontEnd = FrontEnd.connect(config);
    FrontEnd stays = FrontEnd.connect(config);
    Meter meter = frontEnd.once("closed", frontEnd.service(Meter.class));
    CompletableFuture<Outcome<Integer>> first = frontEnd.async(meter, m -> m.add(1));
    CompletableFuture<Outcome<Integer>> second = frontEnd.async(meter, m -> m.add(1));
    frontEnd.close();

    assertThat(first.join()).isInstanceOf(Outcome.Unknown.class);
    assertThat(second.join()).isInstanceOf(Outcome.Unknown.class);
    stays.close();
  }

  @Test
  void aKeyHasALength() {
    try (FrontEnd frontEnd = FrontEnd.connect(FrontEndConfig.builder("127.0.0.1:17599").build())) {
      Meter meter = frontEnd.service(Meter.class);
      assertThatThrownBy(() -> frontEnd.once("", meter))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> frontEnd.once("x".repeat(256), meter))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1 to 255 characters, not 256");
    }
  }

  private static Node join() {
    return Tempest.join(
        NodeConfig.builder()
            .cluster("once-test")
            .listen("127.0.0.1:17500-17580")
            .multicastPort(0)
            .loopback(false)
            .build());
  }
}
