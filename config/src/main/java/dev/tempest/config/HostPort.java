package dev.tempest.config;

import java.util.List;
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

  /** An IPv6 address in brackets, a name or an IPv4 address: two groups. */
  static final String HOST_FORM = "(?:\\[([0-9A-Fa-f:.]+(?:%\\w+)?)\\]|([A-Za-z0-9._-]{1,255}))";

  /** An IPv6 address without brackets, so none with a port: one group. */
  static final String BARE_IPV6_FORM = "([0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(?:%\\w+)?)";

  /** With or without a port. */
  static final String FORM = HOST_FORM + "(?::([0-9]{1,5}))?|" + BARE_IPV6_FORM;

  private static final int PORT_GROUP = 3;
  private static final int BARE_GROUP = 4;
  private static final Pattern PARTS = Pattern.compile(FORM);
  private static final String BYTE_FORM = "(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])";
  private static final Pattern NUMERIC = Pattern.compile("[0-9.]+");
  private static final Pattern IPV4 = Pattern.compile(BYTE_FORM + "(?:\\." + BYTE_FORM + "){3}");

  /** 1 to 63 characters, no hyphen first or last. Names that begin with digits are many. */
  private static final String LABEL_FORM = "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?";

  private static final Pattern NAME =
      Pattern.compile(LABEL_FORM + "(?:\\." + LABEL_FORM + ")*\\.?");

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
    Matcher matcher = matcher(text);
    if (matcher.group(PORT_GROUP) == null) {
      throw refusal(text);
    }
    return of(matcher, 0);
  }

  /**
   * Reads what {@link #parse(String)} does, or a host without a port, then {@code port} is meant.
   *
   * @throws IllegalArgumentException if it reads otherwise, saying how
   */
  public static HostPort parse(String text, int port) {
    return of(matcher(text), port);
  }

  private static Matcher matcher(String text) {
    Matcher matcher = PARTS.matcher(text);
    if (!matcher.matches()) {
      throw refusal(text);
    }
    return matcher;
  }

  private static HostPort of(Matcher matcher, int defaultPort) {
    String port = matcher.group(PORT_GROUP);
    return new HostPort(
        host(matcher, BARE_GROUP), port == null ? defaultPort : Integer.parseInt(port));
  }

  /**
   * What matched the forms of hosts.
   *
   * @throws IllegalArgumentException if it has nothing but digits and dots, as an address has, and
   *     is none: the name service would be asked about it; or if no host can have that name
   */
  static String host(Matcher matcher, int bareGroup) {
    String name = matcher.group(2);
    if (name == null) {
      return matcher.group(1) != null ? matcher.group(1) : matcher.group(bareGroup);
    }
    if (NUMERIC.matcher(name).matches() && !isAddress(name)) {
      throw new IllegalArgumentException("'" + name + "' is not an IP address");
    }
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("'" + name + "' is not a name that a host can have");
    }
    return name;
  }

  private static IllegalArgumentException refusal(String text) {
    return new IllegalArgumentException("'" + text + "' is not host:port");
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

  /**
   * Whether a host is written as an address, so that no name service is asked about it: as four
   * numbers, or with a colon, which is in no name.
   */
  public static boolean isAddress(String host) {
    return host.indexOf(':') >= 0 || IPV4.matcher(host).matches();
  }

  static String bracketed(String host) {
    return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
  }

  /** The texts, each with a port or without one. */
  static List<String> checked(String... places) {
    for (String place : places) {
      parse(place, 1);
    }
    return List.of(places);
  }

  static List<String> texts(List<HostPort> places) {
    return places.stream().map(HostPort::toString).toList();
  }

  @Override
  public String toString() {
    return bracketed(host) + ":" + port;
  }
}
