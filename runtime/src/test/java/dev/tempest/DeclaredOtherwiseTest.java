package dev.tempest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.runtime.Eventually;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes that declare one collection in two ways. */
@Timeout(60)
final class DeclaredOtherwiseTest {
  /** What one of them keeps. */
  record Cart(int items) {}

  @AutoClose private final JoinedNodes nodes = new JoinedNodes();

  @Test
  void sayWhatDiffersAndGoOn() {
    try (Logged logged = new Logged()) {
      Node one = nodes.join();
      Node two = nodes.join();
      Map<String, Cart> carts = one.map("carts", String.class, Cart.class);
      Map<String, Long> counts = two.map("carts", String.class, Long.class);
      Map<String, String> tags = one.map("tags", String.class, String.class);
      carts.put("ada", new Cart(1));
      two.set("tags", String.class).add("new");

      awaitLog(
          logged,
          "In collections, another node wrote a "
              + Cart.class.getName()
              + " into map 'carts', which is declared with java.lang.Long here");
      awaitLog(logged, "In collections, 'tags' is declared as a map here and as a set at another");

      counts.put("bob", 2L);
      tags.put("a", "b");
      Eventually.eventually("writes go on", () -> carts.containsKey("bob"));
      assertThat(counts).containsEntry("bob", 2L);
      assertThat(tags).containsEntry("a", "b");
    }
  }

  private static void awaitLog(Logged logged, String text) {
    Eventually.eventually(text, () -> logged.says(text));
  }
}
