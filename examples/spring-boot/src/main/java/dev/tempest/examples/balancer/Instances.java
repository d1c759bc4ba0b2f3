package dev.tempest.examples.balancer;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Asks one instance after the other until one answers. One that refuses the connection has not seen
 * the request, so any request goes on to the next. Where the connection ends without an answer
 * nobody knows whether the request ran: only what may be repeated goes on. The same holds for an
 * instance that asks for another try, as one does that is being stopped.
 */
final class Instances implements AutoCloseable {
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();
  private final List<Integer> ports;
  private final AtomicInteger turn = new AtomicInteger();

  Instances(List<Integer> ports) {
    this.ports = List.copyOf(ports);
  }

  Answer ask(Request request) throws InterruptedException {
    int first = turn.getAndIncrement();
    Answer last = Answer.of(502, "there is no instance");
    for (int i = 0; i < ports.size(); i++) {
      int port = ports.get(Math.floorMod(first + i, ports.size()));
      try {
        last = Answer.of(client.send(request.to(port), BodyHandlers.ofByteArray()));
        if (!last.asksToTryAgain() || !request.mayBeRepeated()) {
          return last;
        }
      } catch (ConnectException | HttpConnectTimeoutException refused) {
        last = Answer.of(502, "instance " + port + " does not listen");
      } catch (IOException broken) {
        last = Answer.of(502, "instance " + port + " has gone: " + broken.getMessage());
        if (!request.mayBeRepeated()) {
          return last;
        }
      }
    }
    return last;
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
