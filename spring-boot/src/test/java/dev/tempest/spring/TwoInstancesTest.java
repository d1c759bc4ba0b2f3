package dev.tempest.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two instances of an application share collections, services and sessions. */
@Timeout(60)
final class TwoInstancesTest {
  private static final String CLUSTER = "spring-" + ProcessHandle.current().pid();

  private static Instance one;
  private static Instance other;
  private final Client client = new Client();

  @BeforeAll
  static void start() {
    one = Instance.start(CLUSTER);
    other = Instance.start(CLUSTER);
  }

  @AfterAll
  static void stop() {
    one.close();
    other.close();
  }

  private String body(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @Test
  void aCollectionIsInjectedByItsTypes() throws Exception {
    body(client.put(one.port(), "/products/1?name=apple&cents=30"));
    while (client.get(other.port(), "/products/1").body().isEmpty()) {
      Thread.onSpinWait();
    }
    assertThat(body(client.get(other.port(), "/products/1"))).contains("apple", "30");
  }

  @Test
  void aServiceIsHostedAndCalled() throws Exception {
    assertThat(body(client.put(one.port(), "/stock/apple?count=3"))).isEqualTo("3");
    while (!client.put(other.port(), "/stock/apple?count=0").body().equals("3")) {
      Thread.onSpinWait();
    }
  }

  /** Each request goes to the other instance at once, and depends on the one before. */
  @Test
  void aSessionGoesAlongWithItsClient() throws Exception {
    for (int i = 1; i <= 100; i++) {
      int port = i % 2 == 0 ? one.port() : other.port();
      assertThat(body(client.get(port, "/visits"))).isEqualTo(String.valueOf(i));
    }
  }

  @Test
  void theCookiesAreForServersOnly() throws Exception {
    assertThat(client.get(one.port(), "/visits").headers().allValues("Set-Cookie"))
        .hasSize(2)
        .allSatisfy(each -> assertThat(each).contains("HttpOnly", "SameSite=Lax", "Path=/"))
        .anySatisfy(each -> assertThat(each).startsWith("SESSION="))
        .anySatisfy(each -> assertThat(each).startsWith("SESSION_SEEN="));
    assertThat(new Client().get(one.port(), "/products/1").headers().allValues("Set-Cookie"))
        .isEmpty();
  }
}
