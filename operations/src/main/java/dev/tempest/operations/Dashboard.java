package dev.tempest.operations;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Objects;

/** The page for people: one file, which fetches nothing but {@code status.json} beside it. */
final class Dashboard {
  private static final String STYLE = resource("dashboard.css");
  private static final String SCRIPT = resource("dashboard.js");

  static final Content PAGE =
      new Content(
          200,
          "text/html; charset=utf-8",
          resource("dashboard.html").replace("{style}", STYLE).replace("{script}", SCRIPT));

  /** Browsers run only this script, and ask only this server: whatever a name may contain. */
  static final String POLICY =
      ("default-src 'none'; script-src %s; style-src %s; connect-src 'self'; img-src data:;"
              + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
          .formatted(hash(SCRIPT), hash(STYLE));

  private Dashboard() {}

  private static String hash(String text) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every Java has SHA-256", impossible);
    }
  }

  private static String resource(String name) {
    try (InputStream file = Dashboard.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(file, name).readAllBytes(), UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
