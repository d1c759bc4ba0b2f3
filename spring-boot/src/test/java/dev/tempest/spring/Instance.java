package dev.tempest.spring;

import dev.tempest.spring.notes.NotesApplication;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** One of the processes of an application; here they share a JVM. */
record Instance(ConfigurableApplicationContext context) implements AutoCloseable {
  static Instance start(String cluster, String... further) {
    List<String> arguments = new ArrayList<>(List.of(further));
    arguments.add("--server.port=0");
    arguments.add("--server.address=127.0.0.1");
    arguments.add("--tempest.listen=127.0.0.1");
    arguments.add("--tempest.cluster=" + cluster);
    arguments.add("--tempest.sessions.seen-within=30s"); // However busy this machine is.
    arguments.add("--spring.main.banner-mode=off");
    return new Instance(
        new SpringApplicationBuilder(NotesApplication.class).run(arguments.toArray(String[]::new)));
  }

  int port() {
    return ((ServletWebServerApplicationContext) context).getWebServer().getPort();
  }

  @Override
  public void close() {
    context.close();
  }
}
