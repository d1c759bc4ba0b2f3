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
    return start(folder, filter, servlet);
  }

  static Server start(Path folder, Filter filter, HttpServlet servlet) throws Exception {
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
    ErrorPage teapot = new ErrorPage();
    teapot.setErrorCode(TEAPOT);
    teapot.setLocation("/app");
    context.addErrorPage(teapot);
    ErrorPage failed = new ErrorPage();
    failed.setErrorCode(500);
    failed.setLocation("/app");
    context.addErrorPage(failed);
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
