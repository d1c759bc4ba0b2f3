package dev.tempest.service.execution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A method holds up its process wherever it is executed, and not only for those who ask. */
final class SlowMethodTest {
  private long nowNanos;

  private final ServiceInstance service =
      ServiceInstance.of(
          Cart.Echo.class,
          state ->
              text -> {
                nowNanos += 60_000_000;
                return text;
              });

  /** The third time: the first times may be the fault of the JVM. */
  @Test
  void isNamed() {
    service.watch(() -> nowNanos);
    ServiceMethod echo = service.description().methods().getFirst();
    for (int call = 0; call < 3; call++) {
      assertThat(service.takeComplaint()).isNull();
      service.read(service.emptyVersion(), echo.number(), echo.encode(new Object[] {"a"}), 0);
    }
    assertThat(service.takeComplaint())
        .startsWith("echo took 60 ms, and a node serves nothing else meanwhile. Methods");
  }
}
