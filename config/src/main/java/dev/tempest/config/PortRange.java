package dev.tempest.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ports that a node may listen on: it takes the first that is free.
 *
 * @param first from 1 to 65535
 * @param last from {@code first}, less than {@link #PORTS_MAX} above it
 */
public record PortRange(int first, int last) {
  /** Of so many ports a node tries each when it starts. */
  public static final int PORTS_MAX = 256;

  /** Of the ports of a machine so many are asked: nodes take the first that is free. */
  private static final int ASKED_MAX = 16;

  static final String FORM = "([0-9]{1,5})(?:-([0-9]{1,5}))?";

  private static final Pattern PARTS = Pattern.compile(FORM);

  /** Refuses ports that do not exist, and too many. */
  public PortRange {
    HostPort.checkPort(first);
    HostPort.checkPort(last);
    if (last < first || last - first >= PORTS_MAX) {
      throw new IllegalArgumentException(
          "invalid port range "
              + first
              + "-"
              + last
              + ": the last port must not be below the first, and there may be at most "
              + PORTS_MAX);
    }
  }

  /** The range of one port. */
  public static PortRange of(int port) {
    return new PortRange(port, port);
  }

  /**
   * Reads {@code 7500} or {@code 7500-7599}.
   *
   * @throws IllegalArgumentException if it reads otherwise, saying how
   */
  public static PortRange parse(String text) {
    Matcher matcher = PARTS.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is neither a port nor a range of ports");
    }
    int first = Integer.parseInt(matcher.group(1));
    return matcher.group(2) == null
        ? of(first)
        : new PortRange(first, Integer.parseInt(matcher.group(2)));
  }

  /** The first of them, as far as others look for nodes there, at most 16. */
  public PortRange asked() {
    return new PortRange(first, Math.min(last, first + ASKED_MAX - 1));
  }

  /** How many ports there are in it. */
  public int size() {
    return last - first + 1;
  }

  @Override
  public String toString() {
    return size() == 1 ? Integer.toString(first) : first + "-" + last;
  }
}
