package dev.tempest.operations;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * What a request is answered with.
 *
 * @param status the code of HTTP
 * @param type the media type
 * @param body in UTF-8
 */
public record Content(int status, String type, String body) {
  static final int OK = 200;
  static final int UNAVAILABLE = 503;
  private static final int NOT_FOUND = 404;

  static Content text(int status, String text) {
    return new Content(status, "text/plain; charset=utf-8", text);
  }

  static Content json(int status, String json) {
    return new Content(status, "application/json", json);
  }

  static Content nothing() {
    return text(
        NOT_FOUND, "nothing here: metrics, health/live, health/ready, dashboard, status.json\n");
  }

  /** The body, encoded. */
  public byte[] bytes() {
    return body.getBytes(UTF_8);
  }
}
