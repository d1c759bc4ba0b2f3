package dev.tempest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.Node;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that keep a server waiting, and what it does meanwhile. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SlowCallersTest {
  private static final HttpLimits LIMITS = new HttpLimits(100_000, 1, Duration.ofSeconds(30));

  private static Node node;
  private static HttpServer server;
  private static Caller caller;

  @BeforeAll
  static void start() {
    node = Shops.join("slow-callers-test");
    server =
        HttpServer.builder(node)
            .limits(LIMITS)
            .listenAnywhere()
            .mount("/health/live", new Health())
            .startWithoutServices();
    caller = new Caller(server.url());
    assertThat(caller.get("/health/live").body()).isEqualTo("well");
    HttpServerTest.assertProblem(caller.get("/services"), 503, "waits for its state");
    server.openServices();
    assertThat(caller.get("/services").statusCode()).isEqualTo(200);
  }

  @AfterAll
  static void stop() {
    caller.close();
    server.close();
    node.close();
  }

  private static final class Health extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().print("well");
    }
  }

  @Test
  void aBodyThatComesSlowlyIsRefused() throws IOException {
    HttpLimits impatient = new HttpLimits(1 << 20, 1, Duration.ofMillis(50));
    try (HttpServer other = HttpServer.builder(node).limits(impatient).listenAnywhere().start();
        Socket socket = connect(other)) {
      OutputStream out = socket.getOutputStream();
      InputStream in = socket.getInputStream();
      String head =
          "POST /services/shop/add HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
      out.write(ascii(head + "Transfer-Encoding: chunked\r\n\r\n1\r\n[\r\n"));
      long spaces = 0;
      while (in.available() == 0 && spaces++ < impatient.bodyMaxBytes() / 2) {
        out.write(ascii("1\r\n \r\n"));
        Thread.onSpinWait();
      }
      assertThat(line(in)).startsWith("HTTP/1.1 408");
    }
  }

  @Test
  void aBodyOfWhichNothingMoreComesIsRefused() throws IOException {
    try (Socket socket = connect(server)) {
      String head = "POST /services/shop/add HTTP/1.1\r\nHost: a\r\nContent-Type: application/json";
      socket.getOutputStream().write(ascii(head + "\r\nContent-Length: 10\r\n\r\n["));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 408").contains("too-slow", "nothing more came");
    }
  }

  /** A container says so by an exception of its own. */
  @Test
  void silenceIsSilenceHoweverItIsTold() {
    Bodies bodies = new Bodies(new HttpLimits(100, 1, Duration.ofSeconds(30)));
    IOException silent = new SocketTimeoutException("nothing came");
    for (IOException each : List.of(silent, new IOException(silent))) {
      InputStream in =
          new InputStream() {
            @Override
            public int read() throws IOException {
              throw each;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
              throw each;
            }
          };
      assertThatThrownBy(() -> bodies.read(in))
          .isInstanceOfSatisfying(
              Problem.class, problem -> assertThat(problem.status()).isEqualTo(408));
    }
  }

  /** More of them than are executed or sent. */
  @Test
  void bodiesThatComeSlowlyTakeNobodysPlace() throws IOException {
    String head =
        String.join(
            "\r\n",
            "POST /services/shop/add HTTP/1.1",
            "Host: a",
            "Content-Type: application/json",
            "Expect: 100-continue",
            "Content-Length: 10",
            "",
            "");
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i <= LIMITS.responsesMax(); i++) {
        Socket socket = connect(server);
        slow.add(socket);
        socket.getOutputStream().write(ascii(head));
        assertThat(line(socket.getInputStream())).startsWith("HTTP/1.1 100");
        assertThat(line(socket.getInputStream())).isBlank();
      }
      for (int i = 0; i < 10; i++) {
        assertThat(caller.post("/services/shop/add", "[\"quick\",1]").statusCode()).isEqualTo(200);
      }
      for (Socket socket : slow) {
        socket.getOutputStream().write(ascii("[\"slow\",1]"));
        assertThat(line(socket.getInputStream())).startsWith("HTTP/1.1 200");
      }
    } finally {
      for (Socket each : slow) {
        each.close();
      }
    }
  }

  @Test
  void whatHasComeOfBodiesHasALimit() throws IOException {
    Bodies bodies = new Bodies(new HttpLimits(100, 1, Duration.ofSeconds(30)));
    byte[] whole = bodies.read(new ByteArrayInputStream(new byte[100]));
    InputStream first = new ByteArrayInputStream(new byte[60]);
    InputStream meanwhile =
        new InputStream() {
          @Override
          public int read() {
            return -1;
          }

          @Override
          public int read(byte[] into, int offset, int length) throws IOException {
            assertThatThrownBy(() -> bodies.read(new ByteArrayInputStream(new byte[41])))
                .isInstanceOf(Problem.class)
                .hasMessageContaining("too many bodies");
            bodies.read(new ByteArrayInputStream(new byte[40]));
            return -1;
          }
        };
    byte[] body = bodies.read(new SequenceInputStream(first, meanwhile));

    assertThat(whole).hasSize(100);
    assertThat(body).hasSize(60);
    assertThat(bodies.read(new ByteArrayInputStream(new byte[100]))).hasSize(100);
  }

  @Test
  void whoTakesAResponseSlowlyTakesNobodysPlace() throws IOException {
    try (Socket socket = connect(server)) {
      socket.setReceiveBufferSize(1_024);
      String body = "[8000000]";
      socket
          .getOutputStream()
          .write(
              ascii(
                  "POST /services/shop/big HTTP/1.1\r\n"
                      + "Host: a\r\n"
                      + "Content-Type: application/json\r\n"
                      + "Content-Length: "
                      + body.length()
                      + "\r\n\r\n"
                      + body));
      assertThat(line(socket.getInputStream())).startsWith("HTTP/1.1 200");

      assertThat(server.load()).isZero();
      assertThat(caller.get("/services").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void operatorsAreAnsweredThoughCallersKeepAllConnections() throws IOException {
    List<Socket> idle = new ArrayList<>();
    try (Caller operator = new Caller(server.url())) {
      for (int i = 0; i < LIMITS.connectionsKept(); i++) {
        idle.add(connect(server));
      }
      HttpResponse<String> health = operator.get("/health/live");

      assertThat(health.body()).isEqualTo("well");
      assertThat(health.headers().firstValue("Connection")).hasValue("close");
    } finally {
      for (Socket each : idle) {
        each.close();
      }
    }
  }

  private static Socket connect(HttpServer asked) throws IOException {
    URI place = URI.create(asked.url());
    return new Socket(place.getHost(), place.getPort());
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      line.append((char) next);
    }
    return line.toString();
  }
}
