package dev.tempest.sessions.servlet;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tempest.Node;
import dev.tempest.Tempest;
import dev.tempest.config.NodeConfig;
import dev.tempest.sessions.Sessions;
import dev.tempest.sessions.SessionsConfig;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.net.HttpCookie;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two servers of one container that have the same sessions. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.SAME_THREAD)
abstract class FilterSuite {
  /** Of the status for which there is an error page, as there is for 500. */
  static final int TEAPOT = 418;

  private final NodeConfig config =
      NodeConfig.builder()
          .cluster(
              "filter-"
                  + ProcessHandle.current().pid()
                  + "-"
                  + getClass().getSimpleName().toLowerCase(Locale.ROOT))
          .listen("127.0.0.1")
          .build();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<String, String> cookies = new TreeMap<>();
  private Sessions oneSessions;
  private int one;
  private int other;

  /** A server with the servlet below it, on a port of its own. */
  record Server(int port, AutoCloseable close) {}

  abstract Server start(SessionFilter filter, HttpServlet servlet) throws Exception;

  @BeforeAll
  void start() throws Exception {
    Bound.TOLD.add(told);
    one = startOne();
    oneSessions = (Sessions) opened.get(opened.size() - 2);
    other = startOne();
  }

  private int startOne() throws Exception {
    Node node = Tempest.join(config);
    Sessions sessions =
        Sessions.of(
            node,
            SessionsConfig.builder()
                .attributeMaxBytes(10_000)
                .seenWithin(Duration.ofMillis(300))
                .build());
    Server server =
        start(SessionFilter.of(sessions, SessionCookie.defaults(), new Told()), new Application());
    opened.addAll(List.of(node, sessions, server.close));
    return server.port;
  }

  @AfterAll
  void stop() throws Exception {
    Collections.reverse(opened);
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  @BeforeEach
  void forget() {
    cookies.clear();
    told.clear();
  }

  private HttpResponse<String> get(int port, String query) {
    return get(port, query, cookies);
  }

  /** As a browser does: cookies come back. */
  private HttpResponse<String> get(int port, String query, Map<String, String> jar) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/app?" + query));
    if (!jar.isEmpty()) {
      List<String> pairs = new ArrayList<>();
      jar.forEach((name, value) -> pairs.add(name + "=" + value));
      request.header("Cookie", String.join("; ", pairs));
    }
    HttpResponse<String> response;
    try {
      response = client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException(failed);
    }
    for (String header : response.headers().allValues("Set-Cookie")) {
      assertThat(header).containsIgnoringCase("HttpOnly").containsIgnoringCase("SameSite=Lax");
      HttpCookie cookie = HttpCookie.parse(header).getFirst();
      if (cookie.getMaxAge() == 0) {
        jar.remove(cookie.getName());
      } else {
        jar.put(cookie.getName(), cookie.getValue());
      }
    }
    return response;
  }

  @Test
  void aClientReadsItsOwnWritesAtEitherServer() {
    assertThat(get(one, "count&peek").body()).isEqualTo("0new");
    for (int i = 1; i <= 200; i++) {
      HttpResponse<String> response = get(i % 2 == 0 ? one : other, "count");
      assertThat(response.body()).isEqualTo(String.valueOf(i));
    }
  }

  @Test
  void aRequestThatDoesNotAskForASessionHasNone() {
    HttpResponse<String> response = get(one, "nothing");
    assertThat(response.headers().allValues("Set-Cookie")).isEmpty();
    assertThat(get(one, "peek").body()).isEqualTo("none");
    assertThat(cookies).isEmpty();
  }

  @Test
  void aLargeResponseTellsOfItsSessionToo() {
    assertThat(get(one, "set=user:alice&large").body()).hasSize(Application.LARGE);
    assertThat(get(other, "get=user").body()).isEqualTo("alice");
    assertThat(get(one, "set=user:bob&writer").body()).hasSize(Application.LARGE);
    assertThat(get(other, "get=user").body()).isEqualTo("bob");
  }

  @Test
  void whatIsSetAfterTheResponseWentOutIsSavedAsWell() {
    get(one, "set=user:alice");
    get(one, "flush&set=user:bob");
    String seen = "";
    while (!seen.equals("bob")) {
      seen = get(other, "get=user").body();
    }
    assertThat(get(one, "flush&begin").body()).contains("would not learn it");
  }

  @Test
  void whatARequestHasSetBeforeItFailsIsSaved() {
    get(one, "set=user:alice");
    assertThat(get(one, "set=user:bob&fail").statusCode()).isEqualTo(500);
    assertThat(get(one, "get=user").body()).isEqualTo("bob");
  }

  @Test
  void aResponseThatEndsByItsLengthTellsOfItsSessionToo() {
    assertThat(get(one, "set=user:alice&header").body()).isEqualTo("a");
    assertThat(get(other, "get=user").body()).isEqualTo("alice");
  }

  @Test
  void anErrorAndARedirectTellOfTheirSessionToo() {
    assertThat(get(one, "set=user:alice&error").statusCode()).isEqualTo(418);
    assertThat(get(other, "get=user").body()).isEqualTo("alice");
    assertThat(get(one, "set=user:bob&redirect").statusCode()).isEqualTo(302);
    assertThat(get(other, "get=user").body()).isEqualTo("bob");
  }

  @Test
  void whatARequestDoesAfterItsThreadIsGoneIsSaved() {
    assertThat(get(one, "set=user:alice&async=user:bob").body()).isEqualTo("async");
    assertThat(get(other, "get=user").body()).isEqualTo("bob");
  }

  @Test
  void whatAnErrorPageSetsIsSavedAndTold() {
    assertThat(get(one, "error&then&set=user:alice").statusCode()).isEqualTo(TEAPOT);
    assertThat(get(other, "get=user").body()).isEqualTo("alice");
    HttpResponse<String> failed = get(one, "set=user:bob&fail&then&get=user&set=page:500");
    assertThat(failed.statusCode()).isEqualTo(500);
    assertThat(failed.body()).isEqualTo("bob");
    assertThat(get(other, "get=user&get=page").body()).isEqualTo("bob500");
  }

  @Test
  void whatARequestSetsOnceItIsDispatchedAgainIsSavedAndTold() {
    assertThat(get(one, "dispatch&then&set=user:alice&peek").body()).isEqualTo("new");
    assertThat(get(other, "get=user").body()).isEqualTo("alice");
    HttpResponse<String> response = get(one, "set=user:bob&dispatch&then&get=user&set=mail:b");
    assertThat(response.body()).isEqualTo("bob");
    assertThat(response.headers().allValues("Set-Cookie")).hasSize(1);
    assertThat(get(other, "get=user&get=mail").body()).isEqualTo("bobb");
  }

  @Test
  void aDispatchThatIsDispatchedAgainHasTheSameSession() {
    assertThat(get(one, "set=user:alice&dispatch&then&again&get=user&set=mail:a").body())
        .isEqualTo("alice");
    assertThat(get(other, "get=user&get=mail").body()).isEqualTo("alicea");
  }

  @Test
  void aSessionThatBeginsInAForwardIsSavedAndTold() {
    assertThat(get(one, "forward=/app&then&set=user:alice&get=user").body()).isEqualTo("alice");
    assertThat(get(other, "get=user").body()).isEqualTo("alice");
  }

  /** Only the process that has it can know: what was set there is not in the second cookie. */
  @Test
  void aSessionThatBeginsInAForwardWithoutTheFilterIsToldAsWell() {
    get(one, "forward=/plain&then&set=user:alice");
    assertThat(cookies).containsKey("SESSION");
    assertThat(get(one, "get=user").body()).isEqualTo("alice");
  }

  @Test
  void whatAResponseHasToldIsToldAgainAfterItsReset() {
    HttpResponse<String> response = get(one, "set=user:alice&reset");
    assertThat(response.body()).isEqualTo("reset");
    assertThat(response.headers().allValues("Set-Cookie")).hasSize(2);
    assertThat(get(other, "get=user").body()).isEqualTo("alice");
  }

  @Test
  void anAsynchronousResponseThatTheContainerHandsOutTellsOfItsSessionToo() {
    assertThat(get(one, "own=user:alice").body()).isEqualTo("own");
    assertThat(get(other, "get=user").body()).isEqualTo("alice");
  }

  @Test
  void aPageThatIsPerhapsSentTellsOnce() {
    HttpResponse<String> response = get(one, "set=user:alice&page=9000&set=user:bob");
    assertThat(response.body()).hasSize(9_000);
    assertThat(response.headers().allValues("Set-Cookie")).hasSize(2);
  }

  @Test
  void aWriterSaysThatItsClientIsGone() throws Exception {
    String name = getClass().getSimpleName();
    CompletableFuture<Boolean> isGone = new CompletableFuture<>();
    Application.GONE.put(name, isGone);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), one)) {
      String request = "GET /app?check=%s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".formatted(name);
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      assertThat(socket.getInputStream().read()).isNotNegative();
      socket.setSoLinger(true, 0);
    }
    assertThat(isGone.get()).isTrue();
  }

  @Test
  void anotherIdKeepsAllAndTheOneBeforeLeadsNowhere() {
    get(one, "set=user:alice");
    Map<String, String> before = new TreeMap<>(cookies);
    assertThat(get(one, "changeId").body()).isEqualTo(cookies.get("SESSION"));
    assertThat(cookies.get("SESSION")).isNotEqualTo(before.get("SESSION"));
    assertThat(get(other, "get=user").body()).isEqualTo("alice");
    assertThat(get(one, "peek", before).body()).isEqualTo("none");
    assertThat(told).contains("id changed");
  }

  @Test
  void anInvalidatedSessionIsGoneEverywhereAndToldOnce() {
    get(one, "set=user:alice");
    Map<String, String> before = new TreeMap<>(cookies);
    assertThat(get(other, "invalidate").body()).isEqualTo("ended");
    assertThat(cookies).isEmpty();
    assertThat(get(other, "peek", before).body()).isEqualTo("none");
    String seen = "";
    while (!seen.equals("none")) {
      seen = get(one, "peek", before).body();
    }
    assertThat(told).containsSubsequence("created", "destroyed with alice");
    assertThat(told).filteredOn(news -> news.startsWith("destroyed")).hasSize(1);
  }

  @Test
  void anInvalidatedSessionCanBeFollowedByAnotherOne() {
    get(one, "set=user:alice");
    String before = cookies.get("SESSION");
    assertThat(get(one, "invalidate&set=user:bob").body()).isEqualTo("ended");
    assertThat(cookies.get("SESSION")).isNotEqualTo(before).isNotNull();
    assertThat(get(other, "get=user").body()).isEqualTo("bob");
  }

  /** Without it a browser keeps only one of the two where another site embeds the application. */
  @Test
  void bothCookiesArePartitionedIfOneIsToBe() throws Exception {
    SessionCookie cookie =
        new SessionCookie(
            "SESSION", Optional.empty(), Optional.empty(), "Lax", Optional.of(true), true);
    Server server = start(SessionFilter.of(oneSessions, cookie), new Application());
    try {
      assertThat(get(server.port, "set=user:alice").headers().allValues("Set-Cookie"))
          .hasSize(2)
          .allSatisfy(header -> assertThat(header).contains("; Partitioned"));
    } finally {
      server.close.close();
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new SessionCookie(
                "SESSION", Optional.empty(), Optional.empty(), "None", Optional.of(false), true))
        .withMessageContaining("has to be secure");
  }

  /** Session fixation: what a client calls a session is never what we call one. */
  @Test
  void anIdThatAClientMadeUpIsNotTaken() {
    for (String id : List.of("A".repeat(32), "x", "a".repeat(1_500), "%00", "../x")) {
      Map<String, String> forged = new TreeMap<>(Map.of("SESSION", id, "SESSION_SEEN", id));
      assertThat(get(one, "peek&set=user:mallory&peek", forged).body()).isEqualTo("nonenew");
      assertThat(forged.get("SESSION")).isNotEqualTo(id).hasSize(32);
    }
    assertThat(oneSessions.counts().malformed()).isGreaterThanOrEqualTo(8);
  }

  @Test
  void anAttributeThatIsTooLargeIsRefusedAndTheSessionStays() {
    get(one, "set=user:alice");
    assertThat(get(one, "big").body()).contains("may take 10,000");
    assertThat(get(one, "get=user").body()).isEqualTo("alice");
  }

  @Test
  void listenersAreToldOfAttributes() {
    get(one, "set=user:alice");
    get(one, "set=user:bob");
    get(one, "remove=user");
    get(one, "bind");
    get(one, "remove=bound");
    assertThat(told)
        .containsExactly(
            "added user",
            "created",
            "replaced user",
            "removed user",
            "bound",
            "added bound",
            "unbound",
            "removed bound");
  }

  @Test
  void aValueHearsOfTheEndOfASessionThatNobodyElseHasHeardOf() {
    get(one, "bind&invalidate");
    assertThat(told).containsExactly("bound", "added bound", "unbound");
  }

  @Test
  void aServerThatLagsBehindItsClientSaysSo() {
    get(one, "set=user:alice");
    String seen = Objects.requireNonNull(cookies.get("SESSION_SEEN"));
    // As if it had seen what this cluster will never have: another cluster's token.
    try (Node elsewhere =
        Tempest.join(
            NodeConfig.builder().cluster(config.cluster() + "-2").listen("127.0.0.1").build())) {
      elsewhere.<String, String>map("m", String.class, String.class).put("k", "v");
      cookies.put("SESSION_SEEN", seen.substring(0, seen.indexOf('.') + 1) + elsewhere.handle());
    }
    HttpResponse<String> response = get(one, "get=user");
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().firstValue("Retry-After")).contains("1");
    assertThat(oneSessions.counts().unseen()).isEqualTo(1);
  }

  private final class Told
      implements HttpSessionListener, HttpSessionAttributeListener, HttpSessionIdListener {
    @Override
    public void sessionCreated(HttpSessionEvent event) {
      told.add("created");
    }

    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
      told.add("destroyed with " + event.getSession().getAttribute("user"));
    }

    @Override
    public void sessionIdChanged(HttpSessionEvent event, String before) {
      told.add("id changed");
    }

    @Override
    public void attributeAdded(HttpSessionBindingEvent event) {
      told.add("added " + event.getName());
    }

    @Override
    public void attributeReplaced(HttpSessionBindingEvent event) {
      told.add("replaced " + event.getName());
    }

    @Override
    public void attributeRemoved(HttpSessionBindingEvent event) {
      told.add("removed " + event.getName());
    }
  }
}
