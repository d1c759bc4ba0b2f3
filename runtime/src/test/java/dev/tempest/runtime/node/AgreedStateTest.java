package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tempest.OverloadedException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Actions on linearizable collections that meet those of another node. */
class AgreedStateTest {
  private final AgreedGroup group = new AgreedGroup(2);
  private final Map<String, Integer> here = map(0);
  private final Map<String, Integer> there = map(1);
  private final AtomicInteger runs = new AtomicInteger();

  private Map<String, Integer> map(int index) {
    return group.state(index).declare(state -> state.map("m", String.class, Integer.class));
  }

  /** It may have seen what never counts, and then runs again. */
  @Test
  void whatAFunctionThrowsIsHeardOnlyIfItCounts() {
    here.put("a", 1);
    int seen =
        group
            .state(0)
            .batch(() -> {
              int value = here.getOrDefault("a", 0);
              if (runs.incrementAndGet() == 1) {
                there.put("a", 2);
              }
              assertThat(value).isEqualTo(2); // Throws what is no exception.
              return value;
            });
    assertThat(seen).isEqualTo(2);
    assertThat(runs).hasValue(2);

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() ->
            group
                .state(0)
                .batch(() -> {
                  here.put("a", 3);
                  throw new AssertionError("of the application");
                }))
        .withMessage("of the application");
    assertThat(there).containsEntry("a", 2);
  }

  @Test
  void aFunctionThatTakesTooLongIsToldSoAndWritesNothing() {
    assertThatExceptionOfType(OverloadedException.class)
        .isThrownBy(() ->
            group
                .state(0)
                .batch(() -> {
                  group.passSeconds(60);
                  return here.put("a", 1);
                }))
        .withMessageContaining("the function has run");
    assertThat(there).isEmpty();
  }

  /** The entry would expire although it is read. */
  @Test
  void aUseThatIsRefusedIsWrittenAgain() {
    here.put("a", 1);
    group
        .state(0)
        .later(() -> {
          int value = here.getOrDefault("a", 0);
          if (runs.incrementAndGet() == 1) {
            there.put("a", 2);
          }
          here.put("used", value);
        });
    group.passSeconds(1);
    assertThat(there).containsEntry("used", 2);
    assertThat(runs).hasValue(2);
  }
}
