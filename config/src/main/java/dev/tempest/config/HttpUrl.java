package dev.tempest.config;

import java.util.regex.Pattern;

/** The URL at which callers reach a server over HTTP, perhaps through a proxy. */
public final class HttpUrl {
  static final String FORM =
      "https?://" + HostPort.HOST_FORM + "(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~-]+)*/?";

  private static final Pattern WHOLE = Pattern.compile(FORM);

  private HttpUrl() {}

  /**
   * The URL, without a slash at its end.
   *
   * @throws IllegalArgumentException if it is none, or has more than scheme, host, port and path
   */
  public static String check(String text) {
    if (!WHOLE.matcher(text).matches()) {
      throw new IllegalArgumentException("'" + text + "' is not http(s)://host[:port][/path]");
    }
    return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }
}
