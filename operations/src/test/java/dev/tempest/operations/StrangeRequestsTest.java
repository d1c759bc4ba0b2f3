package dev.tempest.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is asked, the servlet only tells. */
final class StrangeRequestsTest {
  private static Node node;
  private static Site site;

  @BeforeAll
  static void open() throws Exception {
    String cluster = "strange-" + ProcessHandle.current().pid();
    node = Tempest.join(NodeConfig.builder().cluster(cluster).listen("127.0.0.1").build());
    site = Site.of(node);
  }

  @AfterAll
  static void close() throws Exception {
    site.close();
    node.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"})
  void nothingCanBeSent(String method) throws Exception {
    HttpResponse<String> refused = site.send(method, "/status.json");
    assertThat(refused.statusCode()).isEqualTo(405);
    assertThat(refused.headers().firstValue("Allow")).hasValue("GET, HEAD");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/<b>", "/metrics/", "/health", "/dashboard.js", "/x?y=<b>"})
  void whatIsNotThereIsNotSaidAgain(String path) throws Exception {
    HttpResponse<String> none = site.get(path.replace("<", "%3C").replace(">", "%3E"));
    assertThat(none.statusCode()).isEqualTo(404);
    assertThat(none.body()).startsWith("nothing here: metrics, ").doesNotContain("<", "%3C");
    assertThat(none.headers().firstValue("Content-Type")).hasValue("text/plain;charset=utf-8");
  }

  @Test
  void theFolderItselfLeadsToThePage() throws Exception {
    HttpResponse<String> answer = site.get("");
    assertThat(answer.statusCode()).isEqualTo(302);
    assertThat(answer.headers().firstValue("Location").orElseThrow())
        .endsWith("/tempest/dashboard");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/dashboard", "/metrics", "/health/live", "/status.json"})
  void headIsGetWithoutABody(String path) throws Exception {
    HttpResponse<String> head = site.send("HEAD", path);
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValueAsLong("Content-Length").orElseThrow()).isPositive();
  }

  @Test
  void thePageMayRunNothingButItsOwnScriptAndIsTheSameForAll() throws Exception {
    HttpResponse<String> page = site.get("/dashboard");
    assertThat(page.body()).doesNotContain("strange", "http://127", "//cdn").contains("<script>");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'; script-src 'sha256-")
        .contains("connect-src 'self'")
        .doesNotContain("unsafe");
    assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-store");
  }
}
