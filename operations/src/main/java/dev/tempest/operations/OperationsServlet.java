package dev.tempest.operations;

import dev.tempest.admin.NodeMonitor;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.MappingMatch;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Shows operators how a node is: {@code metrics} for Prometheus, {@code health/live} and {@code
 * health/ready} for whoever starts and stops processes, {@code dashboard} for people, and {@code
 * status.json} with what that shows.
 *
 * <p>Map it to {@code /*}, or to all of a path such as {@code /tempest/*}. It only reads, and
 * answers GET and HEAD. There is no password: mount it where only operators get to.
 *
 * <p>Thread-safe.
 */
@SuppressWarnings({"serial", "exports"}) // No container stores servlets, and each brings its API.
public final class OperationsServlet extends HttpServlet {
  private static final Set<String> METHODS = Set.of("GET", "HEAD");

  /** Under which an application has what tells of its node. */
  private static final String ATTRIBUTE = NodeMonitor.class.getName();

  private final @Nullable NodeMonitor given;
  private volatile @Nullable Operations operations;

  /**
   * For {@code web.xml}: shows the node whose monitor is the attribute {@code
   * dev.tempest.admin.NodeMonitor} of the servlet context. Tomcat's manager of Tempest sets it, and
   * so does the filter for sessions where it makes the node.
   */
  public OperationsServlet() {
    this.given = null;
  }

  /** Shows the node that the monitor is of. */
  public OperationsServlet(NodeMonitor monitor) {
    this.given = monitor;
  }

  @Override
  public void init() throws ServletException {
    operations = new Operations(given == null ? ofApplication() : given);
  }

  private NodeMonitor ofApplication() throws ServletException {
    Object found = getServletContext().getAttribute(ATTRIBUTE);
    if (found instanceof NodeMonitor monitor) {
      return monitor;
    }
    String why =
        found == null
            ? "of the servlet context is not set: TempestManager and the SessionFilter of web.xml"
                + " do that; else set it to node.monitor()"
            : "is of other jars: have tempest-operations where the others of Tempest are, and"
                + " nowhere else";
    throw new ServletException("no node to show: the attribute %s %s".formatted(ATTRIBUTE, why));
  }

  @Override
  public void destroy() {
    Operations open = operations;
    if (open != null) {
      open.close();
    }
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Operations.HEADERS.forEach(response::setHeader);
    Content content = answer(request, response);
    response.setStatus(content.status());
    response.setContentType(content.type());
    byte[] body = content.bytes();
    response.setContentLength(body.length);
    if (!request.getMethod().equals("HEAD")) {
      response.getOutputStream().write(body);
    }
  }

  private Content answer(HttpServletRequest request, HttpServletResponse response) {
    Operations open = operations;
    if (!METHODS.contains(request.getMethod())) {
      response.setHeader("Allow", "GET, HEAD");
      return Content.text(HttpServletResponse.SC_METHOD_NOT_ALLOWED, "only GET and HEAD\n");
    }
    String path = path(request);
    if (path.isEmpty()) {
      String folder = request.getContextPath() + request.getServletPath();
      response.setHeader("Location", folder + "/dashboard"); // What it fetches is beside it.
      return Content.text(HttpServletResponse.SC_FOUND, "dashboard\n");
    }
    return open == null ? Content.nothing() : open.answer(path);
  }

  /** Of a mapping of its own, or below one that ends with a star. */
  private static String path(HttpServletRequest request) {
    String below = request.getPathInfo();
    return request.getHttpServletMapping().getMappingMatch() == MappingMatch.PATH
        ? below == null ? "" : below
        : request.getServletPath();
  }
}
