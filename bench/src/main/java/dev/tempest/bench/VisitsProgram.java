package dev.tempest.bench;

import dev.tempest.sessions.Session;
import dev.tempest.sessions.Sessions;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/**
 * Tomcat with one servlet: {@code /add/...} counts one more of {@link Visits}, {@code /check/...}
 * answers how many there were. Asked for so many requests, it takes the steps of each by itself.
 */
record VisitsProgram(int port, Visits.Place place) implements Program<Integer, Point> {
  @Override
  public Answers<Integer, Point> start() throws IOException, LifecycleException {
    Visits visits = place.open();
    Path folder = Files.createTempDirectory("tempest-bench-tomcat");
    folder.toFile().deleteOnExit();
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    tomcat.setSilent(true);
    tomcat.setConnector(CartProgram.connector(port, false));
    Context context = tomcat.addContext("", folder.toString());
    if (visits.filter() != null) {
      FilterDef definition = new FilterDef();
      definition.setFilterName("sessions");
      definition.setFilter(visits.filter());
      context.addFilterDef(definition);
      FilterMap map = new FilterMap();
      map.setFilterName("sessions");
      map.addURLPattern("/*");
      context.addFilterMap(map);
    }
    Tomcat.addServlet(context, "visits", new VisitsServlet(visits.count())).addMapping("/*");
    tomcat.start();
    return requests -> steps(Objects.requireNonNull(visits.sessions()), requests);
  }

  /** The second half is measured. */
  private static Point steps(Sessions sessions, int requests)
      throws IOException, InterruptedException {
    Histogram checkNanos = new Histogram(Point.SIGNIFICANT_DIGITS);
    Histogram updateNanos = new Histogram(Point.SIGNIFICANT_DIGITS);
    Session first = sessions.create();
    first.save();
    String id = first.id();
    String seen = sessions.seen(List.of());
    long bytes = 0;
    for (int i = 0; i < requests; i++) {
      if (i == requests / 2) {
        checkNanos.reset();
        updateNanos.reset();
        bytes = Loopback.bytes();
      }
      long startNanos = System.nanoTime();
      sessions.awaitSeen(List.of(seen));
      Session session = sessions.find(id).orElseThrow();
      long checkedNanos = System.nanoTime();
      Visits.write(session);
      seen = sessions.seen(List.of());
      long endNanos = System.nanoTime();
      checkNanos.recordValue(checkedNanos - startNanos);
      updateNanos.recordValue(endNanos - checkedNanos);
    }
    return Point.of(
        "checkMicros", checkNanos.getMean() / 1e3,
        "updateMicros", updateNanos.getMean() / 1e3,
        "bytesPerUpdate", (Loopback.bytes() - bytes) / (requests / 2.0));
  }

  private static final class VisitsServlet extends HttpServlet {
    @Serial private static final long serialVersionUID = 1;

    private final transient Visits.Count count;

    VisitsServlet(Visits.Count count) {
      this.count = count;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      boolean adds = request.getPathInfo().startsWith("/add/");
      long visits = adds ? count.add(request) : count.check(request);
      byte[] body = String.valueOf(visits).getBytes(StandardCharsets.US_ASCII);
      response.setContentLength(body.length);
      response.getOutputStream().write(body);
    }
  }
}
