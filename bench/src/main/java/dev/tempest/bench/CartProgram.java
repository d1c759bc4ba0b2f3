package dev.tempest.bench;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/**
 * Tomcat with one servlet: {@code /add/ITEM} and {@code /check/ITEM} answer how many of the item
 * are in the cart.
 *
 * @param virtualThreads whether each request runs on one
 */
record CartProgram(int port, boolean virtualThreads, Cart.Place place)
    implements Program<String, String> {
  private static final int BACKLOG = 2_048;

  @Override
  public Answers<String, String> start()
      throws IOException, InterruptedException, LifecycleException {
    Cart cart = place.open();
    Path folder = Files.createTempDirectory("tempest-bench-tomcat");
    folder.toFile().deleteOnExit();
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    tomcat.setSilent(true);
    tomcat.setConnector(connector(port, virtualThreads));
    Context context = tomcat.addContext("", folder.toString());
    Tomcat.addServlet(context, "cart", new CartServlet(cart)).addMapping("/*");
    tomcat.start();
    return question -> "";
  }

  /** As it comes, but that connections stay however long nobody uses them. */
  static Connector connector(int port, boolean virtualThreads) {
    Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
    connector.setPort(port);
    connector.setProperty("address", "127.0.0.1");
    connector.setProperty("acceptCount", String.valueOf(BACKLOG));
    connector.setProperty("maxKeepAliveRequests", "-1");
    connector.setProperty("keepAliveTimeout", "-1");
    connector.setProperty("useVirtualThreads", String.valueOf(virtualThreads));
    return connector;
  }

  private static final class CartServlet extends HttpServlet {
    @Serial private static final long serialVersionUID = 1;

    private final transient Cart cart;

    CartServlet(Cart cart) {
      this.cart = cart;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      String path = request.getPathInfo();
      int split = path.indexOf('/', 1);
      String item = path.substring(split + 1);
      try {
        int count = path.startsWith("/add/") ? cart.add(item) : cart.check(item);
        byte[] body = String.valueOf(count).getBytes(StandardCharsets.US_ASCII);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
      } catch (InterruptedException interrupted) {
        throw new IOException("the container stops", interrupted);
      }
    }
  }
}
