package dev.tempest.sessions.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.io.TempDir;

/** In Apache Tomcat 11. */
final class TomcatTest extends FilterSuite {
  @TempDir static Path folder;

  @Override
  Server start(SessionFilter filter, HttpServlet servlet) throws Exception {
    return start(folder, filter, servlet, TEAPOT, 500);
  }

  /** With error pages for these. */
  static Server start(Path folder, Filter filter, HttpServlet servlet, int... errors)
      throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    tomcat.setPort(0);
    Context context = tomcat.addContext("", folder.toString());
    FilterDef definition = new FilterDef();
    definition.setFilterName("sessions");
    definition.setFilter(filter);
    definition.setAsyncSupported("true");
    context.addFilterDef(definition);
    FilterMap map = new FilterMap();
    map.setFilterName("sessions");
    map.addURLPattern("/*");
    map.setDispatcher("REQUEST");
    map.setDispatcher("ASYNC");
    map.setDispatcher("ERROR");
    context.addFilterMap(map);
    FilterMap forwards = new FilterMap();
    forwards.setFilterName("sessions");
    forwards.addURLPattern("/app");
    forwards.setDispatcher("FORWARD");
    context.addFilterMap(forwards);
    for (int error : errors) {
      ErrorPage page = new ErrorPage();
      page.setErrorCode(error);
      page.setLocation("/app");
      context.addErrorPage(page);
    }
    Wrapper wrapper = Tomcat.addServlet(context, "application", servlet);
    wrapper.setAsyncSupported(true);
    wrapper.addMapping("/app");
    wrapper.addMapping("/plain");
    tomcat.start();
    return new Server(
        tomcat.getConnector().getLocalPort(),
        () -> {
          tomcat.stop();
          tomcat.destroy();
        });
  }
}
