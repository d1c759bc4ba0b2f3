package dev.tempest.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.Executors;

/** Bytes that processes give each other by HTTP, with what the JDK has for that. */
final class HttpPost {
  private static final int BACKLOG = 64;
  private static final long NO_BODY = -1;

  /** What was given, with its number. */
  @FunctionalInterface
  interface Taker {
    /** Takes it; the answer goes out when this returns. */
    void take(long number, byte[] bytes) throws IOException, InterruptedException;
  }

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .executor(Executors.newVirtualThreadPerTaskExecutor())
          .build();

  /** Takes what comes to a port of this machine. */
  static void serve(int port, Taker taker) throws IOException {
    System.setProperty("sun.net.httpserver.nodelay", "true"); // Else answers wait for 40 ms.
    InetSocketAddress own = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    HttpServer server = HttpServer.create(own, BACKLOG);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", exchange -> take(exchange, taker));
    server.start();
  }

  private static void take(HttpExchange exchange, Taker taker) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      long number = Long.parseLong(path.substring(path.lastIndexOf('/') + 1));
      taker.take(number, exchange.getRequestBody().readAllBytes());
      exchange.sendResponseHeaders(HttpURLConnection.HTTP_NO_CONTENT, NO_BODY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Gives it to who listens at a port, and waits until that is answered. */
  void give(int port, long number, byte[] bytes) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:%d/%d".formatted(port, number));
    HttpRequest request =
        HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofByteArray(bytes)).build();
    int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    if (status != HttpURLConnection.HTTP_NO_CONTENT) {
      throw new IOException("answered by " + status);
    }
  }
}
