package dev.tempest.sessions.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SessionsNameTest {
  @Test
  void isReadableWhereThatIsClear() {
    assertThat(SessionsName.of("localhost", "")).isEqualTo("sessions-localhost");
    assertThat(SessionsName.of("localhost", "/shop/v2")).isEqualTo("sessions-localhost-shop-v2");
  }

  @Test
  void isAnotherOneForEachApplicationAndFitsACollection() {
    List<String> paths =
        List.of(
            "",
            "/a",
            "/A",
            "/a/b",
            "/a-b",
            "/a.b",
            "/a_b",
            "/\u00e4",
            "/" + "x".repeat(200),
            "/" + "x".repeat(201),
            "/-",
            "/a//b");
    Set<String> names = new HashSet<>();
    for (String host : List.of("localhost", "www.example.com", "www-example.com")) {
      for (String path : paths) {
        String name = SessionsName.of(host, path);
        assertThat(name + "-attributes").matches("[a-z0-9-]{1,64}");
        assertThat(names.add(name)).as(host + path).isTrue();
        assertThat(SessionsName.of(host, path)).isEqualTo(name);
      }
    }
  }
}
