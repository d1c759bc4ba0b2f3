package dev.tempest.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import dev.tempest.values.encoding.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A method holds up its process wherever it is executed, and not only for those who ask. */
final class SlowMethodTest {
  private static long nowNanos;

  record Slow(String text) {
    public Slow {
      pass();
    }
  }

  interface Log {
    @Read
    void read();

    @Update
    void update();

    /** The constructor of its argument is slow. */
    @Update
    void made(Slow slow);
  }

  private static final class LogService implements Log {
    LogService(State state) {
      state.counter("none");
    }

    @Override
    public void read() {
      pass();
    }

    @Override
    public void update() {
      pass();
    }

    @Override
    public void made(Slow slow) {}
  }

  private final ServiceInstance service = ServiceInstance.of(Log.class, LogService::new);

  private static void pass() {
    nowNanos += 60_000_000;
  }

  /** The second time: soon after the start the first time may be the loading of classes. */
  @ParameterizedTest
  @ValueSource(strings = {"read", "update", "made"})
  void isNamed(String name) {
    service.watch(() -> nowNanos, (what, tookNanos) -> {});
    ServiceMethod method =
        service.description().methods().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow();
    Object[] none = {};
    Bytes arguments = method.encode(name.equals("made") ? new Object[] {new Slow("a")} : none);
    for (int call = 0; call < 2; call++) {
      assertThat(service.takeComplaint()).isNull();
      if (name.equals("read")) {
        service.read(service.emptyVersion(), method.number(), arguments, 0);
      } else {
        service.update(service.emptyVersion(), method.number(), arguments, 0, 0);
      }
    }
    assertThat(service.takeComplaint())
        .startsWith(
            "method "
                + name
                + " took 60 ms, and a node serves nothing else meanwhile: the machine was busy, or"
                + " methods of a service wait");
  }
}
