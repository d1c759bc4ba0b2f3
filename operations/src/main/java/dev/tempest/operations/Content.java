package dev.tempest.operations;

/**
 * What a request is answered with.
 *
 * @param status the code of HTTP
 * @param type the media type
 * @param body in UTF-8
 */
record Content(int status, String type, String body) {
  static Content text(int status, String text) {
    return new Content(status, "text/plain; charset=utf-8", text);
  }

  static Content json(int status, String json) {
    return new Content(status, "application/json", json);
  }
}
