package dev.tempest.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;

/** Status and body of a response, made before any of it is sent. */
final class Reply {
  private static final String JSON = "application/json";
  private static final int CHUNK_BYTES = 64 << 10;
  private static final byte[] NOTHING = {};

  private final int status;
  private final String type;
  private final byte[] body;

  private Reply(int status, String type, byte[] body) {
    this.status = status;
    this.type = type;
    this.body = body;
  }

  /** What was asked for, as JSON. */
  static Reply ofJson(byte[] body) {
    return new Reply(HttpServletResponse.SC_OK, JSON, body);
  }

  /** A status that says all. */
  static Reply of(int status) {
    return new Reply(status, "", NOTHING);
  }

  /** A refusal; its headers are set now. */
  static Reply of(Problem problem, HttpServletResponse response) {
    problem.head(response);
    return new Reply(problem.status(), Problem.MEDIA_TYPE, Json.write(problem.body()));
  }

  int status() {
    return status;
  }

  /**
   * Sends it.
   *
   * @param patience whoever takes longer than that to receive it is cut off, between two chunks: of
   *     a reply that fits one, only silence ends the connection
   * @throws IOException if he is, or has gone
   */
  void send(HttpServletResponse response, Duration patience) throws IOException {
    response.setStatus(status);
    if (type.isEmpty()) {
      return;
    }
    response.setContentType(type);
    response.setContentLength(body.length);
    OutputStream out = response.getOutputStream();
    long untilNanos = System.nanoTime() + patience.toNanos();
    for (int sent = 0; sent < body.length; sent += CHUNK_BYTES) {
      if (System.nanoTime() - untilNanos > 0) {
        throw new InterruptedIOException("the caller takes the response too slowly");
      }
      out.write(body, sent, Math.min(CHUNK_BYTES, body.length - sent));
    }
  }
}
