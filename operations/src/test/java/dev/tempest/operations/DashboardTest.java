package dev.tempest.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tempest.Node;
import dev.tempest.Registration;
import dev.tempest.Tempest;
import dev.tempest.admin.NodeHealth;
import dev.tempest.admin.NodeMonitor;
import dev.tempest.admin.NodeVitals;
import dev.tempest.config.NodeConfig;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page as a browser shows it. */
@Timeout(240)
final class DashboardTest {
  private static final NodeConfig CONFIG =
      NodeConfig.builder()
          .cluster("dashboard-" + ProcessHandle.current().pid())
          .name("first")
          .listen("127.0.0.1")
          .build();

  /** Where a PNG says how wide it is. */
  private static final int PNG_WIDTH = 16;

  @TempDir private Path folder;
  private Browser browser;

  @BeforeEach
  void find() {
    Optional<Browser> found = Browser.find(folder);
    assumeTrue(found.isPresent(), "there is no Chromium on the path");
    browser = found.get();
  }

  @Test
  void showsTheCluster() throws Exception {
    try (Node node = Tempest.join(CONFIG);
        Node other = Tempest.join(CONFIG.toBuilder().name("second").build());
        Site site = Site.of(node)) {
      node.host("basket", Basket.class, Basket.factory());
      Map<String, Integer> carts = node.map("carts");
      carts.putAll(Map.of("alice", 1, "bob", 2, "carol", 3));

      assertThat(browser.page(site.uri("/dashboard")))
          .contains(">all well<", "2 members, seen by " + node.members().getFirst())
          .contains("<span>first</span>", "<span>second</span>", other.members().getFirst())
          .contains("basket<small class=\"good\">1 of 1 agree</small>")
          .contains("carts<small> map</small></th><td>3</td>")
          .contains("Nothing was lost or refused.", "<section id=\"refusing\" hidden")
          .doesNotContain("NaN<", ">undefined", ">null");
      Path picture = browser.picture(site.uri("/dashboard"), 360, 740);
      assertThat(ByteBuffer.wrap(Files.readAllBytes(picture)).getInt(PNG_WIDTH)).isEqualTo(360);
    }
  }

  @Test
  void showsWhatWasRefusedOverHttp() throws Exception {
    try (Node node = Tempest.join(CONFIG);
        Site site = Site.of(node)) {
      var unused =
          node.monitor().tell("http", () -> Map.of("200", 9L, "409", 8L, "503", 7L, "410", 0L));
      assertThat(browser.page(site.uri("/dashboard")))
          .contains(">503<small> unavailable</small></th><td>7</td>", "<section id=\"refusing\">")
          .doesNotContain(">200<", ">409<", ">410<");
    }
  }

  /** Its words may come from anywhere. */
  @Test
  void takesWhatItIsToldAsText() throws Exception {
    String hostile = "<img src=x onerror=\"document.title='hit'\">";
    try (Node node = Tempest.join(CONFIG);
        Site site = Site.of(telling(node.monitor(), hostile))) {
      assertThat(browser.page(site.uri("/dashboard")))
          .contains(
              "is not well: &lt;img src=x onerror=", " says: a warning &amp; more", ">2 problems<")
          .doesNotContain("<img", "<title>hit");
    }
  }

  private static NodeMonitor telling(NodeMonitor node, String reason) {
    return new NodeMonitor() {
      @Override
      public String cluster() {
        return node.cluster();
      }

      @Override
      public List<String> members() {
        return node.members();
      }

      @Override
      public NodeHealth health() {
        return new NodeHealth(true, false, List.of(reason), List.of("a warning & more"));
      }

      @Override
      public Optional<NodeVitals> vitals() {
        return node.vitals();
      }

      @Override
      public Map<String, Map<String, Long>> counts() {
        return node.counts();
      }

      @Override
      public Registration tell(String part, Supplier<Map<String, Long>> counts) {
        return node.tell(part, counts);
      }
    };
  }
}
