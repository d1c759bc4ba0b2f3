package dev.tempest.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a process is reached.
 *
 * @param host a name or an IP address; an IPv6 address without brackets
 * @param port from 1 to 65535
 */
public record HostPort(String host, int port) {
  static final int PORT_MAX = 65_535;
  private static final Pattern FORM =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.%]+)]|([A-Za-z0-9._-]{1,255})):(\\d{1,5})");

  /** Refuses ports that do not exist. */
  public HostPort {
    checkPort(port);
  }

  /**
   * Reads {@code host:port}, for IPv6 {@code [address]:port}.
   *
   * @throws IllegalArgumentException if it reads otherwise, saying how
   */
  public static HostPort parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not host:port");
    }
    String host = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
    return new HostPort(host, Integer.parseInt(matcher.group(3)));
  }

  /**
   * The port, if it is one.
   *
   * @throws IllegalArgumentException if it is not from 1 to 65535
   */
  public static int checkPort(int port) {
    if (port < 1 || port > PORT_MAX) {
      throw new IllegalArgumentException("port " + port + " is not between 1 and " + PORT_MAX);
    }
    return port;
  }

  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
