package dev.tempest.http;

import jakarta.servlet.http.HttpServletResponse;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** A refusal as RFC 9457 has it: thrown where something is found, sent as problem details. */
final class Problem extends RuntimeException {
  static final String MEDIA_TYPE = "application/problem+json";

  /** Whoever waits that long finds others gone, or the server back. */
  private static final String RETRY_AFTER_SECONDS = "1";

  private static final long serialVersionUID = 1L;

  private final int status;
  private final String type;
  private final String title;

  /** Names this time, where the log says more; empty if there is no more. */
  private final String instance;

  /**
   * One of ours.
   *
   * @param name in the URI that says which problem it is
   * @param title the same for all of that name
   * @param detail what it is this time, where, and what to do
   */
  Problem(int status, String name, String title, String detail) {
    this(status, title, detail, "urn:tempest:problem:" + name, "");
  }

  private Problem(int status, String title, String detail, String type, String instance) {
    super(detail);
    this.status = status;
    this.type = type;
    this.title = title;
    this.instance = instance;
  }

  /** What a method of a service threw that its interface declares. */
  static Problem declared(String className, String message) {
    return new Problem(
        HttpServletResponse.SC_CONFLICT,
        className.replaceFirst(".*[.$]", ""),
        message,
        "urn:tempest:exception:" + className,
        "");
  }

  /**
   * A failure that is not the caller's, and of which he is told no more than its name in the log.
   *
   * @param detail what it means for him
   */
  static Problem failure(String name, String title, String detail) {
    String occurrence = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    return new Problem(
        HttpServletResponse.SC_INTERNAL_SERVER_ERROR,
        title,
        "%s; the log of this server says more, under %s".formatted(detail, occurrence),
        "urn:tempest:problem:" + name,
        "urn:tempest:occurrence:" + occurrence);
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

  /** Names a {@link #failure} in the log. */
  String instance() {
    return instance;
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
    if (!instance.isEmpty()) {
      body.put("instance", instance);
    }
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
