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
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One server, as its callers see it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HttpServerTest {
  private static final HttpLimits LIMITS = new HttpLimits(10_000, 4, Duration.ofSeconds(30));
  private static final String FIND =
      "/services/shop/find?pair=%7B%22first%22:%22a%22,%22second%22:1%7D";

  private static Node node;
  private static HttpServer server;
  private static Caller caller;

  @BeforeAll
  static void start() {
    node = Shops.join("http-server-test");
    server = HttpServer.builder(node).limits(LIMITS).listenAnywhere().start();
    caller = new Caller(server.url());
  }

  @AfterAll
  static void stop() {
    caller.close();
    server.close();
    node.close();
  }

  @Test
  void updatesArePostedAndReadsAreGot() {
    HttpResponse<String> added =
        caller.post("/services/shop/add", "{\"item\":\"tea\",\"count\":2}");

    assertThat(added.statusCode()).as(added.body()).isEqualTo(200);
    assertThat(added.body()).isEqualTo("2");
    assertThat(caller.post("/services/shop/add", "[\"tea\", 3]").body()).isEqualTo("5");
    assertThat(caller.get("/services/shop/count?item=tea").body()).isEqualTo("5");
    assertThat(caller.get("/services/shop/all?items=%5B%22tea%22%5D&over=4").body())
        .isEqualTo("{\"tea\":5}");
    assertThat(caller.get("/services/shop/times(int)?number=4").body()).isEqualTo("8");
  }

  @Test
  void whatReturnsNothingHasNoContent() {
    HttpResponse<String> cleared = caller.post("/services/shop/clear", "");

    assertThat(cleared.statusCode()).isEqualTo(204);
    assertThat(cleared.body()).isEmpty();
  }

  @Test
  void everyValueTravelsThereAndBack() {
    String order = caller.get(FIND).body();
    HttpResponse<String> echo = caller.post("/services/shop/echo", "{\"order\":" + order + "}");

    assertThat(order).contains("\"@type\":\"Card\"", "\"big\":9223372036854775807");
    assertThat(echo.body()).isEqualTo(order);
  }

  /** Each is refused, with the place where it is wrong. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{                                       | column 2: it ends too early",
        "{\"item\":NaN}                          | it is no JSON: line 1, column 12: what stands"
            + " there",
        "{} {}                                   | what stands there does not belong there",
        "~~                                      | body: it is empty",
        "3                                       | body: write an object",
        "[1]                                     | body: 1 arguments, where there are 2",
        "{\"item\":\"a\",\"count\":2}x           | body: it is no JSON",
        "{\"item\":\"a\",\"item\":\"b\",\"count\":2} | a property is there twice",
        "{\"item\":\"a\"}                        | argument count: it is missing",
        "{\"item\":\"a\",\"count\":2,\"x\":1}    | unknown argument x; there are: item (string),"
            + " count (integer)",
        "{\"item\":1,\"count\":2}                | argument item: it is 1, where a string",
        "{\"item\":null,\"count\":2}             | argument item: it is null",
        "{\"item\":\"a\",\"count\":null}         | argument count: it is null",
        "{\"item\":\"a\",\"count\":\"2\"}        | argument count: it is \"2\", where an integer",
        "{\"item\":\"a\",\"count\":2.5}          | argument count: it is 2.5",
        "{\"item\":\"a\",\"count\":1e9999999999} | body: it has a number with an exponent",
        "{\"item\":\"a\",\"count\":99999999999}  | argument count: it is 99999999999, where an"
            + " integer from -2147483648 to 2147483647 is expected",
        "{\"item\":[],\"count\":1}               | argument item: it is an array",
      })
  void badBodiesAreRefused(String body, String detail) {
    HttpResponse<String> refused = caller.post("/services/shop/add", body == null ? "" : body);

    assertProblem(refused, 400, detail);
    assertThat(refused.body()).doesNotContain("java.", "`");
  }

  @Test
  void whatIsRefusedIsSaidInPlainWords() {
    String digits = "1".repeat(1_001);
    for (String body : List.of("[".repeat(501), "[" + digits + "]", "[0x1]", "[1}", "[1] 2")) {
      HttpResponse<String> refused = caller.post("/services/shop/add", body);

      assertProblem(refused, 400, "body: it is no JSON");
      assertThat(refused.body()).doesNotContain("Stream", "Feature", "jackson", "`");
    }
  }

  @Test
  void aBodyIsInUtf8AndNothingElse() {
    byte[] overlong = ascii("[\"tea?/\", 1]");
    overlong[5] = (byte) 0xC0;
    overlong[6] = (byte) 0xAF;
    String body = "[\"tea\", 1]";

    assertProblem(posted(overlong), 400, "it is not in UTF-8");
    assertProblem(posted(body.getBytes(StandardCharsets.UTF_16)), 400, "it is not in UTF-8");
    assertProblem(posted(body.getBytes(StandardCharsets.UTF_16LE)), 400, "it is no JSON");
    assertProblem(posted(body.getBytes(Charset.forName("UTF-32BE"))), 400, "it is no JSON");
    String marked = "\uFEFF[\"marked\", 1]";
    assertThat(posted(marked.getBytes(StandardCharsets.UTF_8)).body()).isEqualTo("1");
  }

  private static HttpResponse<String> posted(byte[] body) {
    return caller.send(
        caller
            .request("/services/shop/add", "Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build());
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** A value that is right, changed at one place. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "\"1970-01-01T00:00:00Z\" | 0                   | argument order.at: it is 0",
        "\"1970-01-01T00:00:00Z\" | \"now\"             | argument order.at",
        "\"1970-01-01\"           | \"1970-02-30\"      | argument order.day: it is none of what is"
            + " expected: string, date",
        "\"1970-01-01\"           | \"\"                | argument order.day",
        "\"PT1M\"                 | 60                  | argument order.within: it is 60",
        "\"SMALL\"                | 0                   | order.lines[0].size: it is 0, where one"
            + " of",
        "\"SMALL\"                | \"S\"               | argument order.lines[0].size",
        "\"AQI=\"                 | \"!\"               | argument order.seal",
        "\"x\"                    | \"xy\"              | argument order.letter: it is none of what"
            + " is expected: string of 1",
        "\"letter\":\"x\" | \"letter\":\"x\",\"letter\":\"y\" | a property is there twice",
        "[\"a\"]                  | [null]              | argument order.tags[0]: it is null",
        "[\"a\"]                  | \"a\"               | argument order.tags: it is \"a\"",
        "{\"w\":1}                | {\"w\":true}        | argument order.weights.w: it is true",
        "\"@type\":\"Card\"       | \"@type\":\"Visa\"  | order.payment.@type: it is to be one of"
            + " Card, Cash",
        "\"digits\":2             | \"other\":2         | argument order.payment.digits",
        "\"second\":1             | \"second\":\"1\"    | argument order.pair.second",
        "\"letter\":\"x\",        | ~~                  | argument order.letter: it is missing",
        "9223372036854775807      | 9223372036854775808 | argument order.big",
        "\"price\":10             | \"price\":\"10\"    | argument order.lines[0].price",
        "\"price\":10             | \"cost\":10         | argument order.lines[0]: unknown: cost",
        "00000000-0000-0001-0000  | 1                   | argument order.id",
      })
  void badValuesAreRefused(String right, String wrong, String detail) {
    String order = caller.get(FIND).body();
    assertThat(order).contains(right);
    String changed = order.replace(right, wrong == null ? "" : wrong);

    HttpResponse<String> refused =
        caller.post("/services/shop/echo", "{\"order\":" + changed + "}");
    assertProblem(refused, 400, detail);
    assertThat(refused.body()).doesNotContain("java.", "dev.tempest", "`");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/services/shop/count           | 400 | query parameter item: it is missing",
        "/services/shop/count?item=a&item=b | 400 | query parameter item: it is there twice",
        "/services/shop/count?item=a&x=1 | 400 | unknown argument x",
        "/services/shop/all?items=tea&over=1 | 400 | query parameter items: it is no JSON",
        "/services/shop/all?items=%5B%5D&over=x | 400 | query parameter over",
        "/services/shop/find?pair=%7B%7D&size=S | 400 | query parameter",
        "/services/shop/half?number=1e39 | 400 | it is 1E+39, where a number that is not that"
            + " large",
        "/services/shop/half?number=-1e999999999 | 400 | where a number that is not that large",
        "/services/shop/nothing         | 404 | it has: add, all",
        "/services/nothing/add          | 404 | this one hosts: shop",
        "/nothing                       | 404 | there are /services",
        "/services/shop                 | 404 | there are /services",
        "/services/shop/add             | 405 | an update takes POST, not GET",
      })
  void badQuestionsAreRefused(String path, int status, String detail) {
    assertProblem(caller.get(path), status, detail);
  }

  @Test
  void theHeadOfWhatIsGotCanBeAskedForAlone() throws IOException {
    for (String path : List.of(FIND, "/services", "/openapi.json")) {
      String got = caller.get(path).body();
      String head = raw("HEAD " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      assertThat(head)
          .startsWith("HTTP/1.1 200")
          .contains("Content-Type: application/json", "Content-Length: " + got.length() + "\r\n")
          .endsWith("\r\n\r\n");
    }
  }

  @Test
  void anotherMethodIsToldWhichOnesThereAre() {
    HttpResponse<String> posted = caller.post("/services/shop/count", "[\"tea\"]");
    assertProblem(posted, 405, "a read takes GET, not POST");
    assertThat(posted.headers().firstValue("Allow")).hasValue("GET, HEAD");
    HttpResponse<String> head = caller.send(caller.request("/services/shop/add").HEAD().build());
    assertThat(head.statusCode()).isEqualTo(405);
    assertThat(head.headers().firstValue("Allow")).hasValue("POST");
  }

  @Test
  void whatTomcatRefusesIsAProblemToo() throws IOException {
    assertThat(raw("GET /services/shop/count?item=\"\u0001 HTTP/1.1\r\nHost: a\r\n\r\n"))
        .contains("HTTP/1.1 400", Problem.MEDIA_TYPE)
        .doesNotContain("<html", "Tomcat");
    assertThat(raw("G\\T / HTTP/1.1\r\nHost: a\r\n\r\n"))
        .contains("HTTP/1.1 400", "not as HTTP has it")
        .doesNotContain("log");
    assertThat(raw("GET /services/shop/count?item=%zz HTTP/1.1\r\nHost: a\r\n\r\n"))
        .contains("HTTP/1.1 400", Problem.MEDIA_TYPE);
    assertThat(raw("GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(50_000) + "\r\n\r\n"))
        .contains("HTTP/1.1 400")
        .doesNotContain("<html", "Tomcat");
  }

  private static String raw(String request) throws IOException {
    URI place = URI.create(server.url());
    try (Socket socket = new Socket(place.getHost(), place.getPort())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      InputStream in = socket.getInputStream();
      StringBuilder answer = new StringBuilder();
      byte[] chunk = new byte[4_096];
      for (int count = in.read(chunk);
          count > 0 && !answer.toString().endsWith("}");
          count = in.read(chunk)) {
        answer.append(new String(chunk, 0, count, StandardCharsets.ISO_8859_1));
      }
      return answer.toString();
    }
  }

  @Test
  void aBodyHasALimitAndAType() {
    String large = "{\"item\":\"" + "a".repeat(LIMITS.bodyMaxBytes()) + "\",\"count\":1}";
    assertProblem(caller.post("/services/shop/add", large), 413, "more than 10000 bytes");
    HttpRequest chunked =
        caller
            .request("/services/shop/add", "Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofInputStream(
                    () -> new ByteArrayInputStream(large.getBytes(StandardCharsets.UTF_8))))
            .build();
    assertProblem(caller.send(chunked), 413, "more than 10000 bytes");
    HttpRequest form =
        caller
            .request("/services/shop/add", "Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString("item=a&count=1"))
            .build();
    assertProblem(caller.send(form), 415, "header Content-Type");
    HttpRequest empty =
        caller.request("/services/shop/clear").POST(HttpRequest.BodyPublishers.noBody()).build();
    assertProblem(caller.send(empty), 415, "header Content-Type");
    HttpRequest wide =
        caller
            .request("/services/shop/clear", "Content-Type", "application/json; charset=utf-16")
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    assertProblem(caller.send(wide), 415, "in UTF-8");
    assertProblem( // Beside another one.
        caller.post("/services/shop/clear", "[]", "Content-Type", "text/plain"), 415, "text/plain");
    assertProblem(
        caller.post("/services/shop/clear", "[]", "Content-Encoding", "gzip"), 415, "without gzip");
  }

  @Test
  void aBodyHasADepth() {
    String deep = "[".repeat(4_000) + "]".repeat(4_000);
    assertProblem(caller.post("/services/shop/add", deep), 400, "body: it is no JSON");
    String nest = "{\"within\":[".repeat(90) + "]}".repeat(90);
    assertProblem(
        caller.post("/services/shop/put", "[" + nest + "]"), 413, "nested deeper than 64");
  }

  @Test
  void anUpdateTakesItsArgumentsFromItsBodyAlone() {
    assertProblem(caller.post("/services/shop/add?count=2", "[\"tea\", 1]"), 400, "the query");
  }

  @Test
  void aKeyIsNotTooLong() {
    String add = "/services/shop/clear";
    assertThat(caller.post(add, "", Headers.KEY, "k".repeat(255)).statusCode()).isEqualTo(204);
    assertProblem(caller.post(add, "", Headers.KEY, "k".repeat(256)), 400, "header " + Headers.KEY);
    assertProblem(caller.post(add, "", Headers.KEY, ""), 400, "header " + Headers.KEY);
  }

  @Test
  void exceptionsAreProblems() {
    HttpResponse<String> declared = caller.post("/services/shop/add", "[\"none\", 1]");
    assertProblem(declared, 409, "there is no none");
    assertThat(declared.body())
        .contains(
            "\"type\":\"urn:tempest:exception:" + Shop.SoldOutException.class.getName() + "\"",
            "\"title\":\"SoldOutException\"");
    HttpResponse<String> ofItsKind = caller.post("/services/shop/add", "[\"never\", 1]");
    assertProblem(ofItsKind, 409, "there was no never");
    assertThat(ofItsKind.body()).contains(Shop.SoldOutException.class.getName());
    HttpResponse<String> undeclared = caller.post("/services/shop/fails", "[\"secret\"]");
    assertProblem(undeclared, 500, "wrote nothing");
    assertThat(undeclared.body())
        .contains("\"instance\":\"urn:tempest:occurrence:")
        .doesNotContain("secret", "IllegalState");
  }

  @Test
  void whatWasExecutedIsSaidToBeThoughItsResultHasNoForm() {
    String key = Headers.KEY;
    HttpResponse<String> sold = caller.post("/services/shop/sell", "[\"form\"]", key, "form-1");
    HttpResponse<String> again = caller.post("/services/shop/sell", "[\"form\"]", key, "form-1");

    assertProblem(sold, 500, "its writes are kept");
    assertProblem(again, 500, "its writes are kept");
    assertThat(sold.body()).contains("\"title\":\"Executed").doesNotContain("secret");
    assertThat(sold.headers().map()).containsKeys(Headers.KEY.toLowerCase(Locale.ROOT));
    assertThat(caller.get("/services/shop/count?item=form").body()).isEqualTo("1");
  }

  @Test
  void soItIsIfItsFormNeedsAClassThatIsMissing() {
    caller.post("/services/shop/sell", "[\"part\"]");

    assertProblem(caller.post("/services/shop/sell", "[\"part\"]"), 500, "its writes are kept");
    assertThat(caller.get("/services/shop/count?item=part").body()).isEqualTo("2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Tempest-Handle  | abc",
        "Tempest-Handle  | ####",
        "Tempest-Handle  | AgH_____________________",
        "Idempotency-Key | a b",
      })
  void forgedHeadersAreRefused(String name, String value) {
    assertProblem(caller.post("/services/shop/clear", "", name, value), 400, "header " + name);
    HttpRequest twice =
        caller
            .request("/services/shop/clear", name, "AgA", name, "AgA")
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    assertProblem(caller.send(twice), 400, "it is there twice");
  }

  @Test
  void moreRequestsThanMayBeAreRefused() throws InterruptedException {
    CountDownLatch held = Shops.hold();
    CompletableFuture<?>[] all = new CompletableFuture<?>[LIMITS.requestsMax()];
    for (int i = 0; i < all.length; i++) {
      all[i] = caller.posted("/services/shop/hold", "");
    }
    HttpResponse<String> refused;
    try {
      while (server.load() < all.length) {
        Thread.onSpinWait();
      }
      refused = caller.get("/services");
    } finally {
      held.countDown();
    }
    CompletableFuture.allOf(all).join();

    assertProblem(refused, 503, "4 requests are under way already");
    assertThat(refused.headers().firstValue("Retry-After")).isPresent();
    assertThat(caller.get("/services").statusCode()).isEqualTo(200);
  }

  @Test
  void whoClosesWaitsForRequestsUnderWay() throws Exception {
    HttpServer closing = HttpServer.builder(node).listenAnywhere().start();
    try (Caller other = new Caller(closing.url())) {
      CountDownLatch held = Shops.hold();
      CompletableFuture<HttpResponse<String>> answer = other.posted("/services/shop/hold", "");
      Shops.awaitHeld();
      Thread close = Thread.ofVirtual().start(closing::close);
      try {
        while (close.isAlive() && isListening(closing)) {
          Thread.onSpinWait();
        }
        assertThat(answer).isNotDone();
      } finally {
        held.countDown();
      }

      assertThat(answer.get().statusCode()).isEqualTo(204);
      close.join();
    }
  }

  private static boolean isListening(HttpServer asked) {
    URI place = URI.create(asked.url());
    try (Socket socket = new Socket(place.getHost(), place.getPort())) {
      return socket.isConnected();
    } catch (IOException refused) {
      return false;
    }
  }

  @Test
  void otherServletsAnswerBesideTheServices() {
    HttpServlet health =
        new HttpServlet() {
          private static final long serialVersionUID = 1L;

          @Override
          protected void doGet(HttpServletRequest request, HttpServletResponse response)
              throws IOException {
            response.getWriter().print("well at " + request.getPathInfo());
          }
        };
    HttpServer.Builder builder =
        HttpServer.builder(node).listenAnywhere().mount("/health/*", health);
    try (HttpServer more = builder.start();
        Caller other = new Caller(more.url())) {
      assertThat(other.get("/health/live").body()).isEqualTo("well at /live");
      assertThat(other.get("/services").statusCode()).isEqualTo(200);
      assertProblem(other.get("/"), 404, "/openapi.json; for operators /health/*");
    }
    assertThatThrownBy(() -> builder.mount("/health/*", health))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void onceClosedItOpensNoServices() {
    HttpServer closed = HttpServer.builder(node).listenAnywhere().startWithoutServices();
    closed.close();
    assertThatThrownBy(closed::openServices)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("it is closed");
    assertThat(closed.load()).isZero();
    assertThatThrownBy(server::openServices).hasMessageContaining("answers services already");
  }

  @Test
  void aPortThatIsTakenIsSaid() {
    String taken = server.url().substring("http://".length());
    assertThatThrownBy(() -> HttpServer.builder(node).listen(taken).start())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage(
            "port %s for HTTP is taken on 127.0.0.1"
                .formatted(taken.substring(taken.lastIndexOf(':') + 1)));
  }

  static void assertProblem(HttpResponse<String> response, int status, String detail) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type")).hasValue(Problem.MEDIA_TYPE);
    assertThat(response.body()).contains("\"status\":" + status);
    assertThat(response.body().replace("\\\"", "\"")).contains(detail);
  }
}
