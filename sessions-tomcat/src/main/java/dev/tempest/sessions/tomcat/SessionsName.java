package dev.tempest.sessions.tomcat;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What the collections are called that hold the sessions of a web application: {@code
 * sessions-localhost-shop} for {@code /shop}. Where host and path have letters that no collection's
 * name has, or would be confused with others', a hash distinguishes them.
 */
final class SessionsName {
  private static final Pattern PLAIN = Pattern.compile("[a-z0-9]+(/[a-z0-9]+)*");

  /** Leaves room for what the names of the collections of one application end with. */
  private static final int LENGTH_MAX = 50;

  private static final int HASH_BYTES = 8;
  private static final String BEGIN = "sessions-";

  private SessionsName() {}

  /**
   * The name for a web application.
   *
   * @param path without a version: all versions of an application have the same sessions
   */
  static String of(String host, String path) {
    String whole = host + path;
    String readable = BEGIN + whole.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    if (PLAIN.matcher(whole).matches() && readable.length() <= LENGTH_MAX) {
      return readable;
    }
    String hash = hash(whole);
    int room = LENGTH_MAX - hash.length() - 1;
    return readable.substring(0, Math.min(readable.length(), room)) + "-" + hash;
  }

  private static String hash(String whole) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(whole.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("every JDK has SHA-256", missing);
    }
  }
}
