package dev.tempest.sessions.servlet;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The cookie with the id of a session, and a second one, whose name ends with {@code _SEEN}, with
 * what its client has seen. Scripts do not see them, and browsers forget them when they close.
 *
 * @param name 1 to 64 letters, digits, dashes and underscores; {@code SESSION} unless there is
 *     another one
 * @param path of the requests that have it; empty for those of the web application
 * @param domain whose hosts have it; empty for the one that set it
 * @param sameSite {@code Lax}, {@code Strict} or {@code None}
 * @param secure whether it goes over HTTPS only; empty for where it was set over HTTPS
 * @param partitioned whether browsers keep it apart for each site that embeds the application: they
 *     do over HTTPS only, and send it there only with {@code SameSite=None}
 */
public record SessionCookie(
    String name,
    Optional<String> path,
    Optional<String> domain,
    String sameSite,
    Optional<Boolean> secure,
    boolean partitioned) {

  /** As many as a client can have for paths one in another; more are no mistake. */
  private static final int SAME_NAME_MAX = 4;

  private static final String SET_COOKIE = "Set-Cookie";
  private static final List<String> SAME_SITES = List.of("Lax", "Strict", "None");

  /**
   * Checks each of them.
   *
   * @throws IllegalArgumentException if one is not valid; the message says which
   */
  public SessionCookie {
    Objects.requireNonNull(path);
    Objects.requireNonNull(domain);
    Objects.requireNonNull(secure);
    if (!name.matches("[A-Za-z0-9_-]{1,64}")) {
      throw new IllegalArgumentException(
          "the name of a cookie has 1 to 64 letters, digits, - and _, unlike '" + name + "'");
    }
    if (!SAME_SITES.contains(sameSite)) {
      throw new IllegalArgumentException(
          "sameSite must be one of " + SAME_SITES + ", not '" + sameSite + "'");
    }
    if (partitioned && secure.equals(Optional.of(false))) {
      throw new IllegalArgumentException(
          "a cookie that is partitioned has to be secure: browsers take no other");
    }
  }

  /** {@code SESSION}, for the requests of the web application, {@code SameSite=Lax}. */
  public static SessionCookie defaults() {
    return new SessionCookie(
        "SESSION", Optional.empty(), Optional.empty(), "Lax", Optional.empty(), false);
  }

  String seenName() {
    return name + "_SEEN";
  }

  /** What a request says it is, which may be anything. */
  List<String> idsOf(HttpServletRequest request) {
    return valuesOf(request, name);
  }

  List<String> seenOf(HttpServletRequest request) {
    return valuesOf(request, seenName());
  }

  private static List<String> valuesOf(HttpServletRequest request, String name) {
    List<String> values = new ArrayList<>();
    Cookie[] cookies = request.getCookies();
    if (cookies != null) {
      for (Cookie each : cookies) {
        if (each.getName().equals(name) && values.size() < SAME_NAME_MAX) {
          values.add(each.getValue());
        }
      }
    }
    return values;
  }

  Cookie ofId(HttpServletRequest request, String id) {
    return cookie(request, name, id);
  }

  Cookie ofSeen(HttpServletRequest request, String seen) {
    return cookie(request, seenName(), seen);
  }

  /** One that makes the client forget it. */
  Cookie gone(HttpServletRequest request, String which) {
    Cookie cookie = cookie(request, which, "");
    cookie.setMaxAge(0);
    return cookie;
  }

  /** In place of one of the same name that the response has already. */
  static void put(HttpServletResponse response, Cookie cookie) {
    Predicate<String> isOfName = header -> header.startsWith(cookie.getName() + "=");
    List<String> kept = new ArrayList<>(response.getHeaders(SET_COOKIE));
    boolean isThere = kept.removeIf(isOfName);
    response.addCookie(cookie);
    if (isThere) {
      List<String> ofName = response.getHeaders(SET_COOKIE).stream().filter(isOfName).toList();
      kept.add(ofName.getLast()); // Not simply the last: Tomcat tells two that are alike as one.
      replaceAll(response, kept);
    }
  }

  /** From a response that has not gone out. */
  static void takeBack(HttpServletResponse response, String name) {
    List<String> kept = new ArrayList<>(response.getHeaders(SET_COOKIE));
    if (kept.removeIf(header -> header.startsWith(name + "="))) {
      replaceAll(response, kept);
    }
  }

  /** Null removes a header from Servlet 6.1 on; before, one that is set anew replaces all. */
  private static void replaceAll(HttpServletResponse response, List<String> kept) {
    response.setHeader(SET_COOKIE, kept.isEmpty() ? null : kept.removeFirst());
    kept.forEach(each -> response.addHeader(SET_COOKIE, each));
  }

  private Cookie cookie(HttpServletRequest request, String which, String value) {
    Cookie cookie = new Cookie(which, value);
    cookie.setHttpOnly(true);
    cookie.setSecure(secure.orElse(request.isSecure()));
    cookie.setPath(path.orElse(request.getContextPath() + "/"));
    domain.ifPresent(cookie::setDomain);
    cookie.setAttribute("SameSite", sameSite);
    if (partitioned) {
      cookie.setAttribute("Partitioned", "");
    }
    return cookie;
  }
}
