package dev.tempest.cluster;

import dev.tempest.Tempest;
import dev.tempest.config.CollectionConfig;
import dev.tempest.config.Consistency;
import dev.tempest.config.NodeConfig;
import dev.tempest.config.ServiceOptions.Reads;
import dev.tempest.sessions.AttributeCodec;
import dev.tempest.sessions.Sessions;
import dev.tempest.sessions.SessionsConfig;
import dev.tempest.sessions.servlet.SessionCookie;
import dev.tempest.sessions.servlet.SessionFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/**
 * Tomcat with a web application whose sessions are shared: {@code ?set=NAME:NUMBER} and {@code
 * ?get=NAME} answer the number, after {@code new } if the session is.
 */
final class SessionServer {
  static final int PORT = 8080;
  private static final String NOTE = "note";

  private SessionServer() {}

  /** Only one of the releases has it. */
  private record Note(String text) implements Serializable {}

  /**
   * Serves until it is told to end.
   *
   * @param arguments a name, how many of 100 datagrams the node loses, whether sessions are
   *     linearizable, whether this release has the class of notes, its own node, then all nodes
   */
  public static void main(String[] arguments) throws Exception {
    System.setProperty("tempest.test.drop-percent", arguments[1]);
    boolean isLinearizable = Boolean.parseBoolean(arguments[2]);
    boolean hasNotes = Boolean.parseBoolean(arguments[3]);
    NodeConfig.Builder config =
        NodeConfig.builder()
            .listen(arguments[4])
            .members(Arrays.copyOfRange(arguments, 5, arguments.length))
            .deadline(Workload.Services.DEADLINE)
            .shutdownHook(false);
    if (isLinearizable) {
      config
          .reads(Reads.LOCAL)
          .collection(
              "*", CollectionConfig.builder().consistency(Consistency.LINEARIZABLE).build());
    }
    var node = Tempest.join(config.build());
    ClassLoader loader = SessionServer.class.getClassLoader();
    Sessions sessions =
        Sessions.of(
            node,
            SessionsConfig.builder()
                .acks(2)
                .codec(AttributeCodec.javaSerialization(hasNotes ? loader : without(loader)))
                .build());
    Tomcat tomcat = serve(sessions, hasNotes);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> {
              stop(tomcat);
              sessions.close();
              node.close();
            }));
    Answering.begin(command -> "");
  }

  /** As one that has never heard of notes. */
  private static ClassLoader without(ClassLoader loader) {
    return new ClassLoader(loader) {
      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.equals(Note.class.getName())) {
          throw new NoteIsUnknownError(name);
        }
        return super.loadClass(name, resolve);
      }
    };
  }

  /** Else the stream looks for the class elsewhere, where this process has it. */
  private static final class NoteIsUnknownError extends NoClassDefFoundError {
    private static final long serialVersionUID = 1L;

    NoteIsUnknownError(String name) {
      super(name);
    }
  }

  private static Tomcat serve(Sessions sessions, boolean hasNotes) throws Exception {
    Path folder = Files.createTempDirectory("tempest-session-server");
    folder.toFile().deleteOnExit();
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
    connector.setPort(PORT);
    connector.setProperty("useVirtualThreads", "true");
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", folder.toString());
    FilterDef definition = new FilterDef();
    definition.setFilterName("sessions");
    definition.setFilter(SessionFilter.of(sessions, SessionCookie.defaults()));
    context.addFilterDef(definition);
    FilterMap map = new FilterMap();
    map.setFilterName("sessions");
    map.addURLPattern("/*");
    context.addFilterMap(map);
    Tomcat.addServlet(context, "application", new Application(hasNotes)).addMapping("/*");
    tomcat.start();
    return tomcat;
  }

  private static void stop(Tomcat tomcat) {
    try {
      tomcat.stop();
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static final class Application extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final boolean hasNotes;

    Application(boolean hasNotes) {
      this.hasNotes = hasNotes;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      HttpSession session = request.getSession();
      String set = request.getParameter("set");
      Object value;
      if (set != null) {
        String[] pair = set.split(":", 2);
        value = Long.valueOf(pair[1]);
        session.setAttribute(pair[0], value);
        if (hasNotes) {
          session.setAttribute(NOTE, new Note(set));
        }
      } else {
        value = session.getAttribute(request.getParameter("get"));
        Object note = session.getAttribute(NOTE); // Of another release, perhaps.
        if (note != null && !hasNotes) {
          throw new IllegalStateException("it cannot have " + note);
        }
      }
      response.getWriter().write((session.isNew() ? "new " : "") + value);
    }
  }
}
