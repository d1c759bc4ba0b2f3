package dev.tempest.sessions.servlet;

import jakarta.servlet.http.HttpServlet;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.io.TempDir;

/** In Apache Tomcat 11. */
final class TomcatTest extends FilterSuite {
  @TempDir static Path folder;

  @Override
  Server start(SessionFilter filter, HttpServlet servlet) throws Exception {
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
    context.addFilterMap(map);
    Wrapper wrapper = Tomcat.addServlet(context, "application", servlet);
    wrapper.setAsyncSupported(true);
    wrapper.addMapping("/app");
    tomcat.start();
    return new Server(
        tomcat.getConnector().getLocalPort(),
        () -> {
          tomcat.stop();
          tomcat.destroy();
        });
  }
}
