package dev.tempest.spring;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A browser: it keeps cookies, whichever instance they came from. Each request has a connection of
 * its own, and is sent once.
 */
final class Client {
  /** What an instance answers. */
  record Answer(int status, List<String> headers, String body) {
    List<String> cookies() {
      return values("Set-Cookie");
    }

    List<String> values(String header) {
      String start = header + ": ";
      return headers.stream()
          .filter(line -> line.startsWith(start))
          .map(line -> line.substring(start.length()))
          .toList();
    }
  }

  private final Map<String, String> cookies = new TreeMap<>();

  Answer get(String path, int port) throws IOException {
    return send("GET", path, port);
  }

  Answer put(String path, int port) throws IOException {
    return send("PUT", path, port);
  }

  private Answer send(String method, String path, int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      String request =
          "%s %s HTTP/1.0\r\nHost: localhost\r\nCookie: %s\r\nContent-Length: 0\r\n\r\n"
              .formatted(method, path, cookieHeader());
      socket.getOutputStream().write(request.getBytes(UTF_8));
      Answer answer = parse(new String(socket.getInputStream().readAllBytes(), UTF_8));
      answer.cookies().forEach(this::keep);
      return answer;
    }
  }

  private static Answer parse(String text) throws IOException {
    int end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new IOException("no answer: '" + text + "'");
    }
    List<String> headers = List.of(text.substring(0, end).split("\r\n", -1));
    int status = Integer.parseInt(text, text.indexOf(' ') + 1, text.indexOf(' ') + 4, 10);
    return new Answer(status, headers, text.substring(end + 4));
  }

  private String cookieHeader() {
    List<String> pairs = new ArrayList<>();
    cookies.forEach((name, value) -> pairs.add(name + "=" + value));
    return String.join("; ", pairs);
  }

  private void keep(String cookie) {
    String pair = cookie.split(";", 2)[0];
    cookies.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
  }
}
