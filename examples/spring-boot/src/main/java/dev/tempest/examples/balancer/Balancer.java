package dev.tempest.examples.balancer;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A small load balancer: it gives requests to the instances in turn, whoever the client is, and is
 * all that clients see. {@link Instances} says when it asks another instance.
 */
public final class Balancer implements AutoCloseable {
  /** As much of a request as it keeps, to be able to repeat it. */
  private static final int BODY_MAX = 1 << 20;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Instances instances;

  /** Listens on a loopback port, for instances on others. */
  public Balancer(int port, List<Integer> instances) throws IOException {
    this.instances = new Instances(instances);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext("/", this::forward);
    server.setExecutor(threads);
    server.start();
  }

  /** Its own port, and those of the instances. */
  @SuppressWarnings("resource") // It serves until the process ends.
  public static void main(String[] ports) {
    List<Integer> numbers = Arrays.stream(ports).map(Integer::valueOf).toList();
    if (numbers.size() < 2) {
      System.err.println("usage: Balancer PORT INSTANCE_PORT...");
      System.exit(64);
    }
    try {
      new Balancer(numbers.getFirst(), numbers.subList(1, numbers.size()));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    System.out.println("http://127.0.0.1:" + numbers.getFirst() + " asks instances in turn");
  }

  private void forward(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readNBytes(BODY_MAX + 1);
      Answer answer =
          body.length > BODY_MAX
              ? Answer.of(413, "at most " + BODY_MAX + " bytes")
              : instances.ask(
                  new Request(
                      exchange.getRequestMethod(),
                      exchange.getRequestURI(),
                      exchange.getRequestHeaders(),
                      BodyPublishers.ofByteArray(body)));
      answer.sendTo(exchange);
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    instances.close();
  }
}
