package dev.tempest.config;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Each member is listed once: a majority is one of their number. */
final class MemberList {
  private MemberList() {}

  /**
   * The texts, each with a port or without one.
   *
   * @throws IllegalArgumentException if one of them is no place, or is written twice
   */
  static List<String> checked(String... places) {
    Set<String> seen = new HashSet<>();
    for (String place : places) {
      if (!seen.add(place)) {
        throw new IllegalArgumentException(
            "the member " + place + " is listed twice: keep one of them");
      }
    }
    return HostPort.checked(places);
  }

  /**
   * Refuses one place that is written in two ways, as far as no name service has to be asked.
   *
   * @throws IllegalArgumentException if there is one
   */
  static void requireApart(List<HostPort> members) {
    Map<String, HostPort> known = new HashMap<>();
    for (HostPort member : members) {
      String host =
          HostPort.isAddress(member.host())
              ? Network.address(member.host()).getHostAddress()
              : member.host().toLowerCase(Locale.ROOT);
      HostPort other = known.put(host + ':' + member.port(), member);
      if (other != null) {
        throw new IllegalArgumentException(
            "the members %s and %s are one and the same: keep one of them"
                .formatted(other, member));
      }
    }
  }
}
