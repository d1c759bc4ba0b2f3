package dev.tempest.http;

import dev.tempest.CausalChain;
import dev.tempest.FrontEnd;
import dev.tempest.Handle;
import dev.tempest.Node;
import dev.tempest.Outcome;
import dev.tempest.values.TooLargeException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The services of a node over HTTP: {@code GET /services/NAME/METHOD?argument=...} for reads,
 * {@code POST} of a JSON object with the arguments for updates, {@code GET /openapi.json} for what
 * there is. See docs/how-to/http.md. {@link HttpServer} has one; to serve services from a servlet
 * container of your own, map one to a path with a star, such as {@code /api/*}:
 *
 * <pre>{@code
 * new ServletRegistrationBean<>(new ServicesServlet(node), "/api/*")   // Spring Boot
 * }</pre>
 *
 * <p>There is no authentication: put it in front. Thread-safe.
 */
public final class ServicesServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final String SERVICES = "/services";
  private static final String OPENAPI = "/openapi.json";

  private static final String JSON = "application/json";
  private static final int TEMPORARY_REDIRECT = 307;

  /** A service without state is asked again after a while: it may be back. */
  private static final long STOPPED_NANOS = 5_000_000_000L;

  /** {@code /services/NAME/METHOD}, split at its slashes. */
  private static final int CALL_PARTS = 4;

  private final transient Node node;
  private final transient HttpLimits limits;
  private final transient FrontEnd frontEnd;
  private final transient Keys keys;
  private final transient Whiteboard whiteboard;
  private final transient Map<Class<?>, ServiceApi> apis = new ConcurrentHashMap<>();
  private final transient Map<String, Long> stoppedAt = new ConcurrentHashMap<>();
  private final transient AtomicInteger underWay = new AtomicInteger();

  /** Of the services that the node hosts, now or later. */
  public ServicesServlet(Node node) {
    this(node, HttpLimits.DEFAULT);
  }

  /** The same, with other limits. */
  public ServicesServlet(Node node, HttpLimits limits) {
    this(node, limits, new Keys(node));
  }

  ServicesServlet(Node node, HttpLimits limits, Keys keys) {
    this.node = node;
    this.limits = limits;
    this.keys = keys;
    this.frontEnd = node.frontEnd();
    this.whiteboard = new Whiteboard(node);
  }

  /** How many requests are under way. */
  int load() {
    return underWay.get();
  }

  Whiteboard whiteboard() {
    return whiteboard;
  }

  /** What it can answer for, as far as it knows. */
  List<String> services() {
    long nowNanos = System.nanoTime();
    stoppedAt.values().removeIf(nanos -> nowNanos - nanos > STOPPED_NANOS);
    return node.services().keySet().stream()
        .filter(service -> !stoppedAt.containsKey(service))
        .toList();
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    boolean admitted = underWay.incrementAndGet() <= limits.requestsMax();
    try {
      if (!admitted) {
        throw Problem.unavailable(
            limits.requestsMax() + " requests are under way already: repeat later");
      }
      answer(request, response);
    } catch (Problem problem) {
      problem.head(response);
      send(response, Problem.MEDIA_TYPE, Json.write(problem.body()));
    } finally {
      underWay.decrementAndGet();
    }
  }

  @Override
  public void destroy() {
    frontEnd.close();
  }

  private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String path = Optional.ofNullable(request.getPathInfo()).orElse("");
    String[] parts = path.split("/", -1);
    if (path.equals(SERVICES) || path.equals(OPENAPI)) {
      requireVerb(request, response, "GET", path);
      send(response, JSON, Json.write(path.equals(OPENAPI) ? openApi(request) : list()));
    } else if (path.startsWith(SERVICES + "/") && parts.length == CALL_PARTS) {
      call(parts[2], parts[CALL_PARTS - 1], request, response);
    } else {
      throw Problem.notFound(
          "path %s: there are %s, %s/NAME/METHOD and %s"
              .formatted(path, SERVICES, SERVICES, OPENAPI));
    }
  }

  private Object openApi(HttpServletRequest request) {
    SortedMap<String, ServiceApi> all = new TreeMap<>();
    node.services().forEach((name, api) -> all.put(name, api(api)));
    return OpenApi.of(all, request.getContextPath() + request.getServletPath());
  }

  /** The services with their methods. */
  private Object list() {
    Map<String, Object> services = new LinkedHashMap<>();
    node.services()
        .forEach((name, api) -> {
          Map<String, Object> methods = new LinkedHashMap<>();
          api(api).operations().forEach(each -> methods.put(each.name(), each.verb()));
          services.put(name, methods);
        });
    return services;
  }

  private ServiceApi api(Class<?> type) {
    return apis.computeIfAbsent(type, ServiceApi::of);
  }

  private static void requireVerb(
      HttpServletRequest request, HttpServletResponse response, String verb, String what) {
    if (!request.getMethod().equals(verb)) {
      response.setHeader("Allow", verb);
      throw new Problem(
          HttpServletResponse.SC_METHOD_NOT_ALLOWED,
          "other-method",
          "The HTTP method is another one",
          what + " takes " + verb + ", not " + request.getMethod());
    }
  }

  private void call(
      String service, String method, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Class<?> type = node.services().get(service);
    if (type == null) {
      if (sendElsewhere(service, Integer.MAX_VALUE, request, response)) {
        return;
      }
      throw Problem.notFound(
          "no server hosts the service '%s'; this one hosts: %s"
              .formatted(service, String.join(", ", services())));
    }
    Operation operation = api(type).operation(method);
    if (operation == null) {
      throw Problem.notFound(
          "service %s has no method %s; it has: %s".formatted(service, method, api(type).names()));
    }
    requireVerb(request, response, operation.verb(), operation.isUpdate() ? "an update" : "a read");
    Outcome<Object> outcome;
    CausalChain chain = chain(operation, request);
    Object client = client(service, type, chain);
    if (operation.isUpdate()) {
      byte[] body = Arguments.body(request, limits);
      @Nullable Object[] arguments = Arguments.ofBody(operation, body);
      outcome = outcome(operation, keyed(client, request, response, body), arguments);
    } else {
      outcome = outcome(operation, client, Arguments.ofQuery(operation, request));
    }
    if (chain != null) {
      tellSeen(operation, outcome, chain, response);
    }
    send(service, operation, outcome, request, response);
  }

  /** That of the caller, if he has one; an update begins one. */
  private @Nullable CausalChain chain(Operation operation, HttpServletRequest request) {
    Optional<Handle> seen = Headers.handle(request);
    return seen.isEmpty() && !operation.isUpdate()
        ? null
        : frontEnd.causal(seen.orElse(Handle.NOTHING));
  }

  private Object client(String service, Class<?> type, @Nullable CausalChain chain) {
    Object client = chain == null ? frontEnd.service(service, type) : chain.service(service, type);
    return frontEnd.within(limits.deadline(), client);
  }

  /** A client that asks under the key of the request, if it has one. */
  private Object keyed(
      Object client, HttpServletRequest request, HttpServletResponse response, byte[] body) {
    Optional<String> key = Headers.key(request);
    if (key.isEmpty()) {
      return client;
    }
    keys.use(key.get(), request.getPathInfo().getBytes(StandardCharsets.UTF_8), body);
    response.setHeader(Headers.KEY, key.get());
    return frontEnd.once(key.get(), client);
  }

  private Outcome<Object> outcome(
      Operation operation, Object client, @Nullable Object[] arguments) {
    try {
      return frontEnd.outcome(client, service -> operation.callOn(service, arguments));
    } catch (TooLargeException tooLarge) {
      throw new Problem(
          HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
          "too-large",
          "The arguments are too large",
          String.valueOf(tooLarge.getMessage()));
    } catch (IllegalArgumentException | NullPointerException | ClassCastException unfit) {
      throw Problem.badRequest("arguments", String.valueOf(unfit.getMessage()));
    }
  }

  /** A read whose handle would not fit is refused; one of an update has less than it was given. */
  private static void tellSeen(
      Operation operation, Outcome<?> outcome, CausalChain chain, HttpServletResponse response) {
    if (!(outcome instanceof Outcome.Ok || outcome instanceof Outcome.Threw)) {
      return;
    }
    String handle = chain.handle().toString();
    if (handle.length() <= Headers.HANDLE_MAX_CHARS) {
      response.setHeader(Headers.HANDLE, handle);
    } else if (!operation.isUpdate()) {
      throw Problem.unavailable(
          "what was seen fits no header, because many clients write at the same time: repeat later,"
              + " or without a handle");
    }
  }

  private void send(
      String service,
      Operation operation,
      Outcome<?> outcome,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    switch (outcome) {
      case Outcome.Ok<?>(var value) when !operation.hasResult() ->
          response.setStatus(HttpServletResponse.SC_NO_CONTENT);
      case Outcome.Ok<?>(var value) -> send(response, JSON, Json.write(value, operation.result()));
      case Outcome.Threw<?>(String className, String message) ->
          throw Problem.thrown(
              operation.declares(className)
                  ? HttpServletResponse.SC_CONFLICT
                  : HttpServletResponse.SC_INTERNAL_SERVER_ERROR,
              className,
              message);
      case Outcome.Unable<?>(Outcome.Reason reason, String detail) ->
          unable(service, reason, detail, request, response);
      case Outcome.Unknown<?>(String detail) -> throw unknown(detail, operation, response);
    }
  }

  private void unable(
      String service,
      Outcome.Reason reason,
      String detail,
      HttpServletRequest request,
      HttpServletResponse response) {
    if (reason == Outcome.Reason.BAD_ARGUMENTS) {
      throw Problem.badRequest("arguments", detail);
    }
    boolean cannot = reason != Outcome.Reason.OVERLOADED && reason != Outcome.Reason.BEHIND;
    if (cannot) {
      stoppedAt.put(service, System.nanoTime()); // The others are told not to send anybody here.
    }
    if (!sendElsewhere(service, cannot ? Integer.MAX_VALUE : load(), request, response)) {
      throw Problem.unavailable(detail);
    }
  }

  private static Problem unknown(String detail, Operation operation, HttpServletResponse response) {
    boolean named = response.containsHeader(Headers.KEY);
    String remedy =
        !operation.isUpdate()
            ? "Repeat it."
            : named
                ? "Repeat it with the same " + Headers.KEY + ", at any server."
                : "Without an %s it cannot be repeated safely.".formatted(Headers.KEY);
    return new Problem(
        HttpServletResponse.SC_GATEWAY_TIMEOUT,
        "unknown",
        "Perhaps executed",
        detail + " " + remedy);
  }

  /** Whether another server is asked instead. */
  private boolean sendElsewhere(
      String service, int below, HttpServletRequest request, HttpServletResponse response) {
    Optional<String> url = whiteboard.alternative(service, below);
    if (url.isEmpty()) {
      return false;
    }
    String query = request.getQueryString();
    response.setStatus(TEMPORARY_REDIRECT);
    response.setHeader(
        "Location", url.get() + encoded(request) + (query == null ? "" : "?" + query));
    return true;
  }

  /** The path below this servlet, as it was sent. */
  private static String encoded(HttpServletRequest request) {
    String base = request.getContextPath() + request.getServletPath();
    String uri = request.getRequestURI();
    return uri.startsWith(base) ? uri.substring(base.length()) : uri;
  }

  private static void send(HttpServletResponse response, String type, byte[] body)
      throws IOException {
    response.setContentType(type);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
