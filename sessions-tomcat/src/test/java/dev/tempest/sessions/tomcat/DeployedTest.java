package dev.tempest.sessions.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.sessions.tomcat.Actions.Action;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.apache.catalina.Context;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Applications with a line in {@code context.xml}, and classes of their own, in one Tomcat. */
@Timeout(60)
final class DeployedTest {
  private static final String CONTEXT =
      """
      <Context>
        <Manager className="dev.tempest.sessions.tomcat.TempestManager" config="tempest.yaml"/>
      </Context>
      """;

  @TempDir Path folder;

  private final Tomcat tomcat = new Tomcat();
  private final Actions actions = new Actions();
  private final Browser browser = new Browser();

  @BeforeEach
  void prepare() throws IOException {
    Files.writeString(
        folder.resolve("tempest.yaml"),
        "cluster: deployed-%d\nlisten: 127.0.0.1\n".formatted(ProcessHandle.current().pid()));
    tomcat.setBaseDir(folder.toString());
    tomcat.setPort(0);
    tomcat.setAddDefaultWebXmlToWebapp(false);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
  }

  @AfterEach
  void stop() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }

  private Context deploy(String path) throws IOException {
    Path application = Files.createDirectories(folder.resolve("app" + path.replace('/', '-')));
    Files.createDirectories(application.resolve("WEB-INF/classes"));
    Files.createDirectories(application.resolve("META-INF"));
    Files.writeString(application.resolve("META-INF/context.xml"), CONTEXT);
    Context context = tomcat.addWebapp(path, application.toString());
    ((StandardJarScanner) context.getJarScanner()).setScanClassPath(false); // That of the tests.
    context.addLifecycleListener(event -> {
      if (event.getType().equals(Lifecycle.CONFIGURE_START_EVENT)) { // Also when it starts again.
        Tomcat.addServlet(context, "application", actions).addMapping("/*");
      }
    });
    return context;
  }

  private String get(String path, Action action) {
    return Actions.body(
        actions.ask(tomcat.getConnector().getLocalPort(), browser, path + "/", action));
  }

  private static TempestManager manager(Context context) {
    return (TempestManager) context.getManager();
  }

  /** Of an attribute's class, with these fields. */
  private static void compile(Context context, String fields) throws IOException {
    Path classes = Path.of(context.getDocBase(), "WEB-INF/classes");
    Path source = classes.resolve("Cart.java");
    Files.writeString(
        source, "public class Cart implements java.io.Serializable { %s }".formatted(fields));
    int failures =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes.toString(), source.toString());
    assertThat(failures).isZero();
  }

  private static Object newCart() throws ReflectiveOperationException {
    return Class.forName("Cart", true, Thread.currentThread().getContextClassLoader())
        .getConstructor()
        .newInstance();
  }

  private static Object field(Object cart, String name) throws ReflectiveOperationException {
    Field field = cart.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(cart);
  }

  /** Jetty's testStoreSession and testStoreObjectAttributes: classes, and proxies, of its own. */
  @Test
  void attributesOfTheApplicationsClassesOutliveItsReload() throws Exception {
    Context context = deploy("/shop");
    compile(context, "static final long serialVersionUID = 1; int items = 3;");
    tomcat.start();
    get(
        "/shop",
        (request, response) -> {
          ClassLoader loader = Thread.currentThread().getContextClassLoader();
          request.getSession().setAttribute("cart", newCart());
          request.getSession().setAttribute("list", new ArrayList<>(List.of(newCart())));
          request
              .getSession()
              .setAttribute(
                  "proxy",
                  Proxy.newProxyInstance(
                      loader, new Class<?>[] {Comparable.class}, new Compared()));
          return "";
        });

    compile(context, "static final long serialVersionUID = 1; int items; String note;");
    context.reload();
    get(
        "/shop",
        (request, response) -> {
          Object cart = request.getSession(false).getAttribute("cart");
          assertThat(cart.getClass().getClassLoader())
              .isSameAs(Thread.currentThread().getContextClassLoader());
          assertThat(field(cart, "items")).isEqualTo(3);
          assertThat(field(cart, "note")).isNull();
          assertThat((List<?>) request.getSession(false).getAttribute("list"))
              .hasOnlyElementsOfType(cart.getClass());
          assertThat(request.getSession(false).getAttribute("proxy"))
              .isInstanceOf(Comparable.class);
          return "";
        });

    // One that this version cannot read is not there for it, and stays for others.
    compile(context, "static final long serialVersionUID = 2; int items;");
    context.reload();
    get(
        "/shop",
        (request, response) -> {
          assertThat(request.getSession(false).getAttribute("cart")).isNull();
          request.getSession(false).setAttribute("other", 1);
          return "";
        });
    assertThat(manager(context).counts().unreadable()).isPositive();

    compile(context, "static final long serialVersionUID = 1; int items;");
    context.reload();
    get(
        "/shop",
        (request, response) -> {
          assertThat(field(request.getSession(false).getAttribute("cart"), "items")).isEqualTo(3);
          return "";
        });
  }

  private record Compared() implements java.lang.reflect.InvocationHandler, Serializable {
    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
      return 0;
    }
  }

  @Test
  void applicationsShareANodeAndNoSessionsAndVersionsShareThose() throws Exception {
    Context one = deploy("/shop");
    Context other = deploy("/news");
    Context newer = deploy("/shop##2");
    newer.setPath("/shop");
    newer.setWebappVersion("2");
    tomcat.start();
    String id =
        get(
            "/shop",
            (request, response) -> {
              request.getSession().setAttribute("user", "alice");
              return request.getSession().getId();
            });
    assertThat(manager(one).findSession(id)).isNotNull();
    assertThat(manager(newer).findSession(id)).isNotNull();
    assertThat(manager(other).findSession(id)).isNull();
    assertThat(ServerNodes.join(tomcat.getServer(), "tempest.yaml").members()).hasSize(1);
  }

  /** As portals do: one cookie, one id, a session in each application. */
  @Test
  void applicationsThatShareTheirCookieShareIds() throws Exception {
    deploy("/shop").setSessionCookiePath("/");
    deploy("/news").setSessionCookiePath("/");
    tomcat.start();
    String id =
        get(
            "/shop",
            (request, response) -> {
              request.getSession().setAttribute("of", "shop");
              return request.getSession().getId();
            });
    assertThat(
            get(
                "/news",
                (request, response) -> {
                  assertThat(request.getSession().getAttribute("of")).isNull();
                  return request.getSession().getId();
                }))
        .isEqualTo(id);
    assertThat(get("/shop", (request, response) -> request.getSession(false).getAttribute("of")))
        .isEqualTo("shop");
  }

  @Test
  void aRouteLeadsBackAndTheIdBeforeItCounts() throws Exception {
    Context context = deploy("/shop");
    tomcat.getEngine().setJvmRoute("one");
    tomcat.start();
    String id = get("/shop", (request, response) -> request.getSession().getId());
    assertThat(id).matches("[A-Za-z0-9_-]{32}\\.one");
    browser.cookies.put("JSESSIONID", id.replace(".one", ".gone"));
    assertThat(get("/shop", (request, response) -> request.getSession(false).getId()))
        .isEqualTo(id);
    assertThat(browser.cookies).containsEntry("JSESSIONID", id);
    String changed = get("/shop", (request, response) -> request.changeSessionId());
    assertThat(changed).endsWith(".one").isNotEqualTo(id);
    assertThat(manager(context).findSession(id)).isNull();
  }

  @Test
  void anApplicationThatCannotShareItsSessionsDoesNotStart() throws Exception {
    Files.writeString(folder.resolve("tempest.yaml"), "clutser: shop\n");
    Context context = deploy("/shop");
    tomcat.start();
    assertThat(context.getState().isAvailable()).isFalse();
    HttpResponse<String> response =
        actions.ask(
            tomcat.getConnector().getLocalPort(), browser, "/shop/", (request, answer) -> "");
    assertThat(response.statusCode()).isIn(404, 503);
  }

  @Test
  void aSessionOutlivesAnApplicationThatStopsAndStarts() throws Exception {
    Context context = deploy("/shop");
    tomcat.start();
    String id = get("/shop", (request, response) -> request.getSession().getId());
    context.stop();
    assertThat(context.getManager().findSessions()).isEmpty();
    context.start();
    assertThat(get("/shop", (request, response) -> request.getSession(false).getId()))
        .isEqualTo(id);
  }
}
