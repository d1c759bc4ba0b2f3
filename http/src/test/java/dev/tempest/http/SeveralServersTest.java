package dev.tempest.http;

import static dev.tempest.http.HttpServerTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.Node;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that are repeated, at this server or at another one. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SeveralServersTest {
  private static final String CLUSTER = "several-servers-test";
  private static final String ADD = "/services/shop/add";
  private static final String ADVERTISED = "https://first.example.org/shops";
  private static final String KEY = "Idempotency-Key";

  /** In a handle of one service: the highest of the 48 bits that are milliseconds. */
  private static final int STAMP_AT = 21;

  private static Node firstNode;
  private static Node secondNode;
  private static HttpServer firstServer;
  private static HttpServer secondServer;
  private static Caller first;
  private static Caller second;

  @BeforeAll
  static void start() {
    firstNode = Shops.join(CLUSTER);
    secondNode = Shops.join(CLUSTER, firstNode.members().getFirst());
    firstServer = HttpServer.builder(firstNode).listenAnywhere().advertise(ADVERTISED).start();
    secondServer = HttpServer.builder(secondNode).listenAnywhere().start();
    first = new Caller(firstServer.url());
    second = new Caller(secondServer.url());
  }

  @AfterAll
  static void stop() {
    first.close();
    second.close();
    firstServer.close();
    secondServer.close();
    firstNode.close();
    secondNode.close();
  }

  @Test
  void aRetryAtAnyServerGetsTheSameAnswer() {
    String body = "{\"item\":\"retry\",\"count\":1}";
    HttpResponse<String> answer = first.post(ADD, body, KEY, "retry-1");
    assertThat(answer.body()).isEqualTo("1");
    assertThat(answer.headers().firstValue(KEY)).hasValue("retry-1");

    assertThat(first.post(ADD, body, KEY, "retry-1").body()).isEqualTo("1");
    assertThat(second.post(ADD, body, KEY, "retry-1").body()).isEqualTo("1");
    assertThat(second.post(ADD, body, KEY, "retry-2").body()).isEqualTo("2");
  }

  @Test
  void aRetryWhileTheFirstRunsWaitsForIt() throws Exception {
    CountDownLatch held = Shops.hold();
    String hold = "/services/shop/hold";
    CompletableFuture<HttpResponse<String>> begun = first.posted(hold, "", KEY, "held");
    Shops.awaitHeld();
    CompletableFuture<HttpResponse<String>> again = first.posted(hold, "", KEY, "held");
    CompletableFuture<HttpResponse<String>> elsewhere = second.posted(hold, "", KEY, "held");
    try {
      while (firstServer.load() < 2 || secondServer.load() < 1) {
        Thread.onSpinWait();
      }
      assertThat(List.of(begun, again, elsewhere)).noneMatch(CompletableFuture::isDone);
    } finally {
      held.countDown();
    }

    assertThat(begun.get().statusCode()).isEqualTo(204);
    assertThat(again.get().statusCode()).isEqualTo(204);
    assertThat(elsewhere.get().statusCode()).isEqualTo(204);
    String seen = handle(elsewhere.get());
    assertThat(first.get("/services/shop/count?item=held", Headers.HANDLE, seen).body())
        .isEqualTo("1");
  }

  @Test
  void theKeyOfAnotherRequestIsRefused() {
    HttpResponse<String> mine = first.post(ADD, "[\"mine\", 1]", KEY, "mine");
    assertThat(mine.body()).isEqualTo("1");

    assertProblem(first.post(ADD, "[\"mine\", 2]", KEY, "mine"), 422, "choose a new key");
    assertProblem(first.post("/services/shop/clear", "", KEY, "mine"), 422, "choose a new key");
    HttpResponse<String> elsewhere = second.post(ADD, "[\"mine\", 2]", KEY, "mine-2");
    while (!second
        .get("/services/shop/count?item=mine", Headers.HANDLE, handle(elsewhere))
        .body()
        .equals("3")) {
      Thread.onSpinWait();
    }
    assertProblem(second.post(ADD, "[\"mine\", 2]", KEY, "mine"), 422, "choose a new key");
  }

  @Test
  void aHandleShowsOneOwnWritesAtEveryServer() {
    String seen = Headers.HANDLE;
    HttpResponse<String> answer = first.post(ADD, "[\"own\", 1]");
    for (int i = 2; i < 40; i++) {
      Caller other = i % 2 == 0 ? second : first;
      HttpResponse<String> read = other.get("/services/shop/count?item=own", seen, handle(answer));
      assertThat(read.body()).isEqualTo(String.valueOf(i - 1));
      answer = other.post(ADD, "[\"own\", 1]", seen, handle(read));
      assertThat(answer.body()).isEqualTo(String.valueOf(i));
    }
  }

  /** Else one caller could stop all others. */
  @Test
  void aForgedHandleDelaysNobodyElse() {
    byte[] forged = Base64.getUrlDecoder().decode(handle(first.post(ADD, "[\"forged\", 1]")));
    forged[STAMP_AT] ^= 64;
    String future = Base64.getUrlEncoder().withoutPadding().encodeToString(forged);
    var delayed = first.posted(ADD, "[\"forged\", 1]", Headers.HANDLE, future);
    for (int i = 1; i < 20; i++) {
      assertThat(first.post(ADD, "[\"mind\", 1]").body()).isEqualTo(String.valueOf(i));
    }
    assertThat(delayed).isNotDone();
    delayed.cancel(true);
  }

  private static String handle(HttpResponse<?> response) {
    return response.headers().firstValue(Headers.HANDLE).orElseThrow();
  }

  @Test
  void whoDoesNotHostAServiceSendsToOneThatDoes() {
    firstNode.host("other", Shop.class, Shop.Service::new, Shops.options());
    HttpResponse<String> sent = second.get("/services/other/count?item=a%20b");
    while (sent.statusCode() == 404) { // Until the first one has said so.
      sent = second.get("/services/other/count?item=a%20b");
    }

    assertThat(sent.statusCode()).as(sent.body()).isEqualTo(307);
    assertThat(sent.headers().firstValue("Location"))
        .hasValue(ADVERTISED + "/services/other/count?item=a%20b");
  }

  @Test
  void nobodyIsSentWhereNoAddressIsSaid() {
    secondNode.host("inner", Shop.class, Shop.Service::new, Shops.options());
    HttpResponse<String> refused = first.get("/services/inner/count?item=a");
    while (refused.statusCode() == 404) { // Until the second one has said so.
      refused = first.get("/services/inner/count?item=a");
    }

    assertProblem(refused, 503, "http-advertise");
  }

  /** Executed again under one id, but with other arguments, it would make servers differ. */
  @Test
  void aBodyThatBecomesOtherArgumentsIsNotExecutedAgain() {
    String take = "/services/shop/take";
    String body = "{\"ticket\":{\"item\":\"ticket\"}}";
    assertThat(first.post(take, body, KEY, "ticket").body()).isEqualTo("1");

    assertProblem(first.post(take, body, KEY, "ticket"), 422, "not executed again");
    assertThat(first.get("/services/shop/count?item=ticket").body()).isEqualTo("1");
  }

  @Test
  void theSameRequestInOtherWordsGetsTheSameAnswer() {
    assertThat(first.post(ADD, "[\"words\", 1]", KEY, "words").body()).isEqualTo("1");
    String inOtherWords = "{\"count\": 1, \"item\": \"words\"}";
    assertThat(first.post(ADD, inOtherWords, KEY, "words").body()).isEqualTo("1");
  }
}
