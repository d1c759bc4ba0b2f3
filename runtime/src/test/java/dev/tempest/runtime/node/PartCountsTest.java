package dev.tempest.runtime.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tempest.Registration;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PartCountsTest {
  private final PartCounts counts = new PartCounts();

  @Test
  void noSumFallsWhileOneOfThemGoesOn() {
    Registration shop = counts.add("sessions", () -> Map.of("created", 1_000L));
    Registration admin = counts.add("sessions", () -> Map.of("created", 5L, "expired", 1L));
    assertThat(counts.all()).containsEntry("sessions", Map.of("created", 1_005L, "expired", 1L));
    admin.close();
    admin.close();
    assertThat(counts.all()).containsEntry("sessions", Map.of("created", 1_005L, "expired", 1L));
    shop.close();
    assertThat(counts.all()).isEmpty();
    counts.add("sessions", () -> Map.of("created", 2L));
    assertThat(counts.all()).containsEntry("sessions", Map.of("created", 1_007L, "expired", 1L));
  }

  @Test
  void oneThatFailsHidesNoOther() {
    counts.add("http", () -> Map.of("200", 1L));
    counts.add(
        "http",
        () -> {
          throw new IllegalStateException("as asked for");
        });
    assertThat(counts.all()).containsEntry("http", Map.of("200", 1L));
    assertThatIllegalArgumentException().isThrownBy(() -> counts.add("a.b", Map::of));
  }
}
