package dev.tempest.http;

import dev.tempest.FrontEnd;
import dev.tempest.Handle;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The headers of a request that Tempest gives a meaning, checked. */
final class Headers {
  /** Names a request for life. */
  static final String KEY = "Idempotency-Key";

  /** What its caller has seen. */
  static final String HANDLE = "Tempest-Handle";

  private Headers() {}

  /**
   * The key of a request.
   *
   * @throws Problem if it is none
   */
  static Optional<String> key(HttpServletRequest request) {
    return only(request, KEY).map(Headers::checkKey);
  }

  private static String checkKey(String key) {
    if (key.isEmpty() || key.length() > FrontEnd.KEY_MAX) {
      throw Problem.badRequest(
          "header " + KEY, "write 1 to " + FrontEnd.KEY_MAX + " characters, not " + key.length());
    }
    if (!key.chars().allMatch(each -> each > ' ' && each <= '~')) {
      throw Problem.badRequest("header " + KEY, "write visible ASCII characters only");
    }
    return key;
  }

  /**
   * What the caller has seen.
   *
   * @throws Problem if it was never given to anybody
   */
  static Optional<Handle> handle(HttpServletRequest request) {
    return only(request, HANDLE).map(Headers::parseHandle);
  }

  private static Handle parseHandle(String text) {
    if (text.length() > HttpLimits.HANDLE_MAX_CHARS) {
      throw Problem.badRequest("header " + HANDLE, "it is longer than any that was given out");
    }
    try {
      return Handle.parse(text);
    } catch (IllegalArgumentException forged) {
      throw Problem.badRequest(
          "header " + HANDLE,
          "%s; send back what a response had there, or nothing".formatted(forged.getMessage()));
    }
  }

  private static Optional<String> only(HttpServletRequest request, String name) {
    List<String> values = Collections.list(request.getHeaders(name));
    if (values.size() > 1) {
      throw Problem.badRequest("header " + name, "it is there twice; send one");
    }
    return values.stream().findFirst();
  }
}
