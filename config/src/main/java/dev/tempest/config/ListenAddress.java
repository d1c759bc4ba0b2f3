package dev.tempest.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a process listens.
 *
 * @param host a name or IP address of this machine, or {@link #PRIVATE}; an IPv6 address without
 *     brackets
 * @param ports of which it takes the first that is free
 */
public record ListenAddress(String host, PortRange ports) {
  /** Stands for all addresses of this machine. */
  public static final String PRIVATE = "private";

  /** Where a process listens that is told nothing else. */
  public static final ListenAddress DEFAULT =
      new ListenAddress(PRIVATE, new PortRange(7_400, 7_499));

  static final String FORM =
      HostPort.HOST_FORM + "(?::([0-9]{1,5}(?:-[0-9]{1,5})?))?|" + HostPort.BARE_IPV6_FORM;

  private static final Pattern PARTS = Pattern.compile(FORM);
  private static final Pattern ONLY_PORTS = Pattern.compile(":?" + PortRange.FORM);
  private static final int PORTS_GROUP = 3;
  private static final int BARE_GROUP = 4;

  /**
   * Reads {@code host}, {@code host:port} or {@code host:first-last}; without a port, those of
   * {@link #DEFAULT} are meant.
   *
   * @throws IllegalArgumentException if it reads otherwise, saying how
   */
  public static ListenAddress parse(String text) {
    if (ONLY_PORTS.matcher(text).matches()) {
      String ports = text.startsWith(":") ? text : ":" + text;
      throw new IllegalArgumentException(
          "'" + text + "' has no host: write " + PRIVATE + ports + ", or the address before it");
    }
    Matcher matcher = PARTS.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is neither host nor host:port");
    }
    String ports = matcher.group(PORTS_GROUP);
    return new ListenAddress(
        HostPort.host(matcher, BARE_GROUP), ports == null ? DEFAULT.ports : PortRange.parse(ports));
  }

  /** Whether it stands for all addresses of this machine. */
  public boolean isEverywhere() {
    return host.equals(PRIVATE) || host.equals("0.0.0.0") || host.equals("::");
  }

  @Override
  public String toString() {
    return HostPort.bracketed(host) + ":" + ports;
  }
}
