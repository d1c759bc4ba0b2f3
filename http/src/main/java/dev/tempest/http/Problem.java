package dev.tempest.http;

import jakarta.servlet.http.HttpServletResponse;
import java.util.LinkedHashMap;
import java.util.Map;

/** A refusal as RFC 9457 has it: thrown where something is found, sent as problem details. */
final class Problem extends RuntimeException {
  static final String MEDIA_TYPE = "application/problem+json";

  /** Whoever waits that long finds others gone, or the server back. */
  private static final String RETRY_AFTER_SECONDS = "1";

  private static final long serialVersionUID = 1L;

  private final int status;
  private final String type;
  private final String title;

  /**
   * One of ours.
   *
   * @param name in the URI that says which problem it is
   * @param title the same for all of that name
   * @param detail what it is this time, where, and what to do
   */
  Problem(int status, String name, String title, String detail) {
    this(status, title, detail, "urn:tempest:problem:", name);
  }

  private Problem(int status, String title, String detail, String kind, String name) {
    super(detail);
    this.status = status;
    this.type = kind + name;
    this.title = title;
  }

  /** What a method of a service threw. */
  static Problem thrown(int status, String className, String message) {
    String title = className.replaceFirst(".*[.$]", "");
    return new Problem(status, title, message, "urn:tempest:exception:", className);
  }

  /** What is written at a place of the request cannot be. */
  static Problem badRequest(String place, String detail) {
    return new Problem(
        HttpServletResponse.SC_BAD_REQUEST,
        "bad-request",
        "The request cannot be understood",
        place + ": " + detail);
  }

  static Problem notFound(String detail) {
    return new Problem(
        HttpServletResponse.SC_NOT_FOUND, "not-found", "There is no such thing", detail);
  }

  /** Nothing was executed, and later it may be. */
  static Problem unavailable(String detail) {
    return new Problem(
        HttpServletResponse.SC_SERVICE_UNAVAILABLE,
        "unavailable",
        "Not executed, by no server",
        detail);
  }

  int status() {
    return status;
  }

  /** As JSON has it. */
  Map<String, Object> body() {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("type", type);
    body.put("title", title);
    body.put("status", status);
    body.put("detail", getMessage());
    return body;
  }

  /** Says how the response begins, but for its body. */
  void head(HttpServletResponse response) {
    response.setStatus(status);
    if (status == HttpServletResponse.SC_SERVICE_UNAVAILABLE) {
      response.setHeader("Retry-After", RETRY_AFTER_SECONDS);
    }
  }
}
