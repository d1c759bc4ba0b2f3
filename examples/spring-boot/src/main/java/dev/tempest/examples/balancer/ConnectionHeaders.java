package dev.tempest.examples.balancer;

import java.util.Locale;
import java.util.Set;

/** Headers of one connection, which the next one has its own of. */
final class ConnectionHeaders {
  private static final Set<String> NAMES =
      Set.of(
          "connection",
          "content-length",
          "date",
          "expect",
          "host",
          "http2-settings",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private ConnectionHeaders() {}

  static boolean isPassedOn(String name) {
    return !name.startsWith(":") && !NAMES.contains(name.toLowerCase(Locale.ROOT));
  }
}
