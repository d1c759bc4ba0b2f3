package dev.tempest.operations;

import dev.tempest.Node;
import dev.tempest.admin.NodeMonitor;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** A Tomcat that shows a node. */
final class Site implements AutoCloseable {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final Tomcat tomcat;

  private Site(Tomcat tomcat) {
    this.tomcat = tomcat;
  }

  /** At a free port of this machine, below {@code /tempest}. */
  static Site of(Node node) throws IOException, LifecycleException {
    return of(node.monitor());
  }

  /** The same. */
  static Site of(NodeMonitor monitor) throws IOException, LifecycleException {
    Path folder = Files.createTempDirectory("tempest-operations");
    folder.toFile().deleteOnExit();
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(0);
    Context context = tomcat.addContext("", folder.toString());
    Tomcat.addServlet(context, "operations", new OperationsServlet(monitor))
        .addMapping("/tempest/*");
    tomcat.getConnector();
    tomcat.start();
    return new Site(tomcat);
  }

  URI uri(String path) {
    return URI.create(
        "http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/tempest" + path);
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send("GET", path);
  }

  HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }
}
