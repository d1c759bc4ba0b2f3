package dev.tempest.sessions.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import java.util.EnumSet;
import org.eclipse.jetty.ee11.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.ServerConnector;

/** In Eclipse Jetty 12. */
final class JettyTest extends FilterSuite {
  @Override
  Server start(SessionFilter filter, HttpServlet servlet) throws Exception {
    var server = new org.eclipse.jetty.server.Server();
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler("/");
    FilterHolder holder = new FilterHolder(filter);
    holder.setAsyncSupported(true);
    context.addFilter(
        holder,
        "/*",
        EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
    context.addFilter(holder, "/app", EnumSet.of(DispatcherType.FORWARD));
    ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
    errors.addErrorPage(TEAPOT, "/app");
    errors.addErrorPage(500, "/app");
    context.setErrorHandler(errors);
    ServletHolder served = new ServletHolder(servlet);
    served.setAsyncSupported(true);
    context.addServlet(served, "/app");
    context.addServlet(served, "/plain");
    server.setHandler(context);
    server.start();
    return new Server(connector.getLocalPort(), server::stop);
  }
}
