package dev.tempest.bench.servlet;

import dev.tempest.bench.load.ChildMain;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/**
 * Tomcat with one servlet: {@code /add/ITEM} and {@code /check/ITEM} answer how many of the item
 * are in the cart.
 */
public final class ServletProgram {
  private static final int BACKLOG = 2_048;

  private ServletProgram() {}

  /**
   * Serves until the parent is gone. Arguments: port, whether requests run on virtual threads, the
   * {@link CartKind}, what that one needs.
   */
  public static void main(String[] args)
      throws IOException, InterruptedException, LifecycleException {
    Cart cart = CartKind.valueOf(args[2]).open(List.of(args).subList(3, args.length));
    Path folder = Files.createTempDirectory("tempest-bench-tomcat");
    folder.toFile().deleteOnExit();
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    tomcat.setSilent(true);
    tomcat.setConnector(connector(Integer.parseInt(args[0]), Boolean.parseBoolean(args[1])));
    Context context = tomcat.addContext("", folder.toString());
    Tomcat.addServlet(context, "cart", new CartServlet(cart)).addMapping("/*");
    tomcat.start();
    ChildMain.serve();
  }

  /** As it comes, but that connections stay however long nobody uses them. */
  private static Connector connector(int port, boolean virtualThreads) {
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
