package dev.tempest.sessions.servlet;

import jakarta.servlet.http.HttpServletResponse;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The headers that filters before ours have given a response, as one for CORS does: without them a
 * browser keeps from its page that the request is to be tried again. They are as right for a
 * refusal, unlike those of the application, which are of the response that it takes the place of.
 */
record OuterHeaders(Map<String, List<String>> values) {
  private static final OuterHeaders NONE = new OuterHeaders(Map.of());

  static OuterHeaders of(HttpServletResponse response) {
    Collection<String> names = response.getHeaderNames();
    if (names.isEmpty()) {
      return NONE;
    }
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String name : names) {
      values.put(name, List.copyOf(response.getHeaders(name)));
    }
    return new OuterHeaders(values);
  }

  /** After a reset, which a container may have survived with headers of its own. */
  void putBack(HttpServletResponse response) {
    values.forEach((name, each) -> putBack(response, name, each));
  }

  private static void putBack(HttpServletResponse response, String name, List<String> values) {
    Collection<String> there = response.getHeaders(name);
    for (String each : values) {
      if (!there.contains(each)) {
        response.addHeader(name, each);
      }
    }
  }
}
