package dev.tempest.sessions.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.Principal;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.authenticator.FormAuthenticator;
import org.apache.catalina.realm.GenericPrincipal;
import org.apache.catalina.realm.RealmBase;
import org.apache.tomcat.util.descriptor.web.LoginConfig;
import org.apache.tomcat.util.descriptor.web.SecurityCollection;
import org.apache.tomcat.util.descriptor.web.SecurityConstraint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Users who log in at one Tomcat and go on at another one. */
@Timeout(60)
final class LoginTest {
  private static final Actions.Action WHO =
      (request, response) ->
          request.getServletPath() + request.getPathInfo() + " of " + request.getRemoteUser();

  @TempDir static Path folder;

  private final Browser browser = new Browser();

  private static final class OneUser extends RealmBase {
    @Override
    protected String getPassword(String user) {
      return user.equals("alice") ? "secret" : null;
    }

    @Override
    protected Principal getPrincipal(String user) {
      return new GenericPrincipal(user, List.of("customer"));
    }
  }

  private static void protect(Context context) {
    context.setRealm(new OneUser());
    context.setLoginConfig(new LoginConfig("FORM", null, "/login", "/failed"));
    SecurityCollection pages = new SecurityCollection();
    pages.addPattern("/private");
    SecurityConstraint constraint = new SecurityConstraint();
    constraint.addCollection(pages);
    constraint.addAuthRole("customer");
    context.addConstraint(constraint);
    context.addSecurityRole("customer");
    context.getPipeline().addValve(new FormAuthenticator());
  }

  @Test
  void aLoginHoldsEverywhereIfItIsPersisted() throws Exception {
    try (Cluster cluster =
        new Cluster(
            folder,
            (context, manager) -> {
              manager.setPersistAuthentication(true);
              protect(context);
            })) {
      assertThat(cluster.ask(0, browser, "/shop/private", WHO).body()).isEqualTo("/login of null");
      String before = browser.cookies.get("JSESSIONID");
      HttpResponse<String> login =
          cluster.ask(1, browser, "/shop/j_security_check?j_username=alice&j_password=secret", WHO);
      assertThat(login.statusCode()).isEqualTo(303);
      assertThat(login.headers().firstValue("Location")).hasValue("/shop/private");
      assertThat(browser.cookies.get("JSESSIONID")).isNotEqualTo(before);
      for (int i = 0; i < 4; i++) {
        assertThat(cluster.ask(i % 2, browser, "/shop/private", WHO).body())
            .isEqualTo("/private of alice");
      }
      String names =
          cluster.get(
              0,
              browser,
              (request, response) ->
                  request.getSession(false).getAttributeNames().hasMoreElements());
      assertThat(names).isEqualTo("false");
      cluster.get(
          0,
          browser,
          (request, response) -> {
            request.logout();
            return "";
          });
      assertThat(cluster.ask(1, browser, "/shop/private", WHO).body()).isEqualTo("/login of null");
      Browser fixed = new Browser();
      fixed.cookies.put("JSESSIONID", before);
      assertThat(cluster.ask(0, fixed, "/shop/private", WHO).body()).isEqualTo("/login of null");
    }
  }

  @Test
  void aLoginStaysWhereItWasElse() throws Exception {
    try (Cluster cluster = new Cluster(folder, (context, manager) -> protect(context))) {
      cluster.ask(0, browser, "/shop/private", WHO);
      cluster.ask(0, browser, "/shop/j_security_check?j_username=alice&j_password=secret", WHO);
      cluster.ask(0, browser, "/shop/private", WHO);
      assertThat(cluster.ask(0, browser, "/shop/private", WHO).body())
          .isEqualTo("/private of alice");
      assertThat(cluster.ask(1, browser, "/shop/private", WHO).body()).isEqualTo("/login of null");
    }
  }
}
