package dev.tempest.sessions.tomcat;

import java.io.IOException;
import java.net.HttpCookie;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** A client to which cookies come back, whichever server it asks. */
final class Browser {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  final Map<String, String> cookies = new ConcurrentSkipListMap<>();

  /** The headers with cookies of the latest answer. */
  List<String> setCookies = List.of();

  HttpResponse<String> get(int port, String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    List<String> pairs = new ArrayList<>();
    cookies.forEach((name, value) -> pairs.add(name + "=" + value));
    if (!pairs.isEmpty()) {
      request.header("Cookie", String.join("; ", pairs));
    }
    try {
      HttpResponse<String> response = CLIENT.send(request.build(), BodyHandlers.ofString());
      setCookies = response.headers().allValues("Set-Cookie");
      setCookies.forEach(this::keep);
      return response;
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private void keep(String header) {
    HttpCookie cookie = HttpCookie.parse(header).getFirst();
    cookies.put(cookie.getName(), cookie.getValue());
  }
}
