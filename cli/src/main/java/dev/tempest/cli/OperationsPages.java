package dev.tempest.cli;

import dev.tempest.admin.NodeMonitor;
import dev.tempest.operations.Content;
import dev.tempest.operations.Operations;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * What operators see of a server, in the Tomcat that is embedded here: its servlet API is a module
 * of its own, and not that of {@link dev.tempest.operations.OperationsServlet}.
 */
@SuppressWarnings("serial") // No container stores servlets.
final class OperationsPages extends HttpServlet {
  private final Operations operations;

  OperationsPages(NodeMonitor monitor) {
    this.operations = new Operations(monitor);
  }

  /** {@inheritDoc} The container answers HEAD with its headers alone. */
  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Operations.HEADERS.forEach(response::setHeader);
    Content content = operations.answer(request.getServletPath());
    response.setStatus(content.status());
    response.setContentType(content.type());
    response.getOutputStream().write(content.bytes());
  }

  @Override
  public void destroy() {
    operations.close();
  }
}
