package dev.tempest.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Receives the bodies of requests. What has come of all of them takes no more memory than those of
 * the requests that are executed; so callers who send nothing keep nobody out. Thread-safe.
 */
final class Bodies {
  private static final String JSON = "application/json";
  private static final int CHUNK_BYTES = 8 << 10;

  private final HttpLimits limits;
  private final long bytesMax;

  /** What has come of bodies that are not complete. */
  private final AtomicLong bytes = new AtomicLong();

  Bodies(HttpLimits limits) {
    this.limits = limits;
    this.bytesMax = (long) limits.requestsMax() * limits.bodyMaxBytes();
  }

  /**
   * The body of a request.
   *
   * @throws Problem if it is no JSON by its type, has a query beside it, is too large, or comes too
   *     slowly, or if there is no room for it
   */
  byte[] of(HttpServletRequest request) throws IOException {
    requireJson(request);
    if (!Optional.ofNullable(request.getQueryString()).orElse("").isEmpty()) {
      throw Problem.badRequest("the query", "an update takes its arguments from its body alone");
    }
    if (request.getContentLengthLong() > limits.bodyMaxBytes()) {
      throw tooLarge();
    }
    return read(request.getInputStream());
  }

  /** All of it, with the same exceptions. */
  byte[] read(InputStream in) throws IOException {
    var body = new ByteArrayOutputStream();
    byte[] chunk = new byte[CHUNK_BYTES];
    long untilNanos = System.nanoTime() + limits.deadline().toNanos();
    try {
      for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
        body.write(chunk, 0, count);
        boolean hasRoom = bytes.addAndGet(count) <= bytesMax;
        if (body.size() > limits.bodyMaxBytes()) {
          throw tooLarge();
        }
        if (!hasRoom) {
          throw Problem.unavailable("too many bodies are received already: repeat later");
        }
        if (System.nanoTime() - untilNanos > 0) {
          throw tooSlow("it was not complete after " + limits.deadline().toMillis() + " ms");
        }
      }
      return body.toByteArray();
    } catch (IOException failed) {
      if (isSilence(failed)) {
        throw silent();
      }
      if (failed.getClass().getSimpleName().equals("BadRequestException")) { // Tomcat's.
        throw Problem.badRequest("body", "it is not as HTTP has it");
      }
      throw failed;
    } finally {
      bytes.addAndGet(-body.size());
    }
  }

  /** Tomcat wraps it in an exception of its own. */
  private static boolean isSilence(IOException failed) {
    return failed instanceof SocketTimeoutException
        || failed.getCause() instanceof SocketTimeoutException;
  }

  /** The problem of whoever stops in the middle of a body. */
  static Problem silent() {
    return tooSlow("nothing more came of it for too long");
  }

  private static Problem tooSlow(String detail) {
    return new Problem(
        HttpServletResponse.SC_REQUEST_TIMEOUT, "too-slow", "The body came too slowly", detail);
  }

  private Problem tooLarge() {
    return new Problem(
        HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
        "too-large",
        "The body is too large",
        "it has more than " + limits.bodyMaxBytes() + " bytes: divide it into several calls");
  }

  /** Of a body that is empty, too: so no page of a browser posts what its user does not know of. */
  private static void requireJson(HttpServletRequest request) {
    List<String> types = Collections.list(request.getHeaders("Content-Type"));
    String type = types.isEmpty() ? "" : types.getFirst().toLowerCase(Locale.ROOT);
    String charset = request.getCharacterEncoding();
    boolean isUtf8 = charset == null || charset.equalsIgnoreCase("utf-8");
    if (types.size() > 1 || !type.split(";", 2)[0].strip().equals(JSON) || !isUtf8) {
      throw noJson("header Content-Type: write %s, in UTF-8, not %s".formatted(JSON, types));
    }
    String encoding = request.getHeader("Content-Encoding");
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      throw noJson("header Content-Encoding: send the body as it is, without " + encoding);
    }
  }

  private static Problem noJson(String detail) {
    return new Problem(
        HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE, "no-json", "The body is no JSON", detail);
  }
}
