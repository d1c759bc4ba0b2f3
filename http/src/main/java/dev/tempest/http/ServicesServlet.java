package dev.tempest.http;

import dev.tempest.CausalChain;
import dev.tempest.FrontEnd;
import dev.tempest.Handle;
import dev.tempest.Node;
import dev.tempest.Outcome;
import dev.tempest.Request;
import dev.tempest.runtime.LogLines;
import dev.tempest.values.TooLargeException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger.Level;
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
  private static final System.Logger LOGGER = LogLines.logger(ServicesServlet.class);
  private static final String SERVICES = "/services";
  private static final String OPENAPI = "/openapi.json";

  private static final int TEMPORARY_REDIRECT = 307;

  /** A service without state is asked again after a while: it may be back. */
  private static final long STOPPED_NANOS = 5_000_000_000L;

  /** {@code /services/NAME/METHOD}, split at its slashes. */
  private static final int CALL_PARTS = 4;

  private final transient Node node;
  private final transient HttpLimits limits;
  private final transient Bodies bodies;
  private final transient FrontEnd frontEnd;
  private final transient Keys keys;
  private final transient List<String> beside;
  private final transient Whiteboard whiteboard;
  private final transient Answers answers;
  private final transient Map<Class<?>, ServiceApi> apis = new ConcurrentHashMap<>();
  private final transient Map<String, Long> stoppedAt = new ConcurrentHashMap<>();
  private final transient AtomicInteger underWay = new AtomicInteger();

  /** Those that are under way, and those whose callers have yet to take the response. */
  private final transient AtomicInteger unsent = new AtomicInteger();

  /** Of the services that the node hosts, now or later. */
  public ServicesServlet(Node node) {
    this(node, HttpLimits.DEFAULT);
  }

  /** The same, with other limits. */
  public ServicesServlet(Node node, HttpLimits limits) {
    this(node, limits, new Keys(node), List.of());
  }

  /**
   * The same.
   *
   * @param beside paths that others answer at this server
   */
  ServicesServlet(Node node, HttpLimits limits, Keys keys, List<String> beside) {
    this.node = node;
    this.limits = limits;
    this.bodies = new Bodies(limits);
    this.keys = keys;
    this.beside = List.copyOf(beside);
    this.frontEnd = node.frontEnd();
    this.whiteboard = new Whiteboard(node);
    this.answers = Answers.toldBy(node);
  }

  /** How many requests are executed now. */
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
    try {
      Reply reply = reply(request, response);
      reply.send(response, limits.deadline());
      answers.answered(reply.status());
    } catch (IOException unsentOrUnread) {
      answers.failed(unsentOrUnread);
      throw unsentOrUnread;
    } finally {
      unsent.decrementAndGet();
    }
  }

  @Override
  public void destroy() {
    answers.close();
    frontEnd.close();
  }

  private Reply reply(HttpServletRequest request, HttpServletResponse response) throws IOException {
    boolean hasRoom = enter();
    try {
      requireRoom(hasRoom);
      return answer(request, response);
    } catch (Problem problem) {
      return Reply.of(problem, response);
    } catch (RuntimeException | LinkageError | StackOverflowError bug) {
      String detail = "perhaps executed";
      return Reply.of(noted(Problem.failure("failed", "The server failed", detail), bug), response);
    } finally {
      underWay.decrementAndGet();
    }
  }

  /**
   * Takes a place among those under way, even if there is none left, and says whether there was.
   */
  private boolean enter() {
    boolean isSendable = unsent.incrementAndGet() <= limits.responsesMax();
    return underWay.incrementAndGet() <= limits.requestsMax() && isSendable;
  }

  private void requireRoom(boolean hasRoom) {
    if (!hasRoom) {
      throw Problem.unavailable(
          limits.requestsMax() + " requests are under way already: repeat later");
    }
  }

  /** While it comes, it takes nobody's place. */
  private byte[] body(HttpServletRequest request) throws IOException {
    unsent.decrementAndGet();
    underWay.decrementAndGet();
    byte[] body;
    boolean hasRoom = false;
    try {
      body = bodies.of(request);
    } finally {
      hasRoom = enter();
    }
    requireRoom(hasRoom);
    return body;
  }

  private static Problem noted(Problem failure, Throwable cause) {
    LOGGER.log(Level.ERROR, failure.instance(), cause);
    return failure;
  }

  private Reply answer(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String path = Optional.ofNullable(request.getPathInfo()).orElse("");
    String[] parts = path.split("/", -1);
    if (path.equals(SERVICES) || path.equals(OPENAPI)) {
      requireVerb(request, response, "GET", path);
      return Reply.ofJson(Json.write(path.equals(OPENAPI) ? openApi(request) : list()));
    }
    if (path.startsWith(SERVICES + "/") && parts.length == CALL_PARTS) {
      return call(parts[2], parts[CALL_PARTS - 1], request, response);
    }
    throw Problem.notFound(
        "path %s: there are %s, %s/NAME/METHOD and %s%s"
            .formatted(
                path,
                SERVICES,
                SERVICES,
                OPENAPI,
                beside.isEmpty() ? "" : "; for operators " + String.join(", ", beside)));
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

  /** What is got can be asked for its head alone: the container sends no body with it. */
  private static void requireVerb(
      HttpServletRequest request, HttpServletResponse response, String verb, String what) {
    String asked = request.getMethod();
    boolean isHead = verb.equals("GET") && asked.equals("HEAD");
    if (!asked.equals(verb) && !isHead) {
      response.setHeader("Allow", verb.equals("GET") ? "GET, HEAD" : verb);
      throw new Problem(
          HttpServletResponse.SC_METHOD_NOT_ALLOWED,
          "other-method",
          "The HTTP method is another one",
          what + " takes " + verb + ", not " + asked);
    }
  }

  private Reply call(
      String service, String method, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Class<?> type = node.services().get(service);
    if (type == null) {
      Whiteboard.Others others = whiteboard.others(service);
      return elsewhere(others, Integer.MAX_VALUE, request, response)
          .orElseThrow(() -> notHere(service, others));
    }
    Operation operation = api(type).operation(method);
    if (operation == null) {
      throw Problem.notFound(
          "service %s has no method %s; it has: %s".formatted(service, method, api(type).names()));
    }
    requireVerb(request, response, operation.verb(), operation.isUpdate() ? "an update" : "a read");
    CausalChain chain = chain(operation, request);
    Object client = client(service, type, chain);
    Request<Object> asked =
        operation.isUpdate()
            ? update(operation, client, request, response)
            : recorded(operation, client, Arguments.ofQuery(operation, request));
    Outcome<Object> outcome = frontEnd.outcome(asked);
    if (chain != null) {
      tellSeen(operation, outcome, chain, response);
    }
    return reply(service, operation, outcome, request, response);
  }

  private Problem notHere(String service, Whiteboard.Others others) {
    return others.isEmpty()
        ? Problem.notFound(
            "no server hosts the service '%s'; this one hosts: %s"
                .formatted(service, String.join(", ", services())))
        : Problem.unavailable(
            "other servers host the service '%s', and none says by http-advertise where it is reached"
                .formatted(service));
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

  /** An update under the key of the request, if it has one; it is not sent. */
  private Request<Object> update(
      Operation operation, Object client, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<String> key = Headers.key(request);
    byte[] body = body(request);
    @Nullable Object[] arguments = Arguments.ofBody(operation, body);
    Object named = key.isEmpty() ? client : frontEnd.once(key.get(), client);
    Request<Object> update = recorded(operation, named, arguments);
    if (key.isPresent()) {
      byte[] path = request.getPathInfo().getBytes(StandardCharsets.UTF_8);
      keys.use(key.get(), update.name().orElseThrow(), path, body);
      response.setHeader(Headers.KEY, key.get());
    }
    return update;
  }

  /** The call with its arguments as they are sent; what does not fit is the caller's. */
  private Request<Object> recorded(
      Operation operation, Object client, @Nullable Object[] arguments) {
    try {
      return frontEnd.request(client, service -> operation.callOn(service, arguments));
    } catch (TooLargeException tooLarge) {
      throw new Problem(
          HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
          "too-large",
          "The arguments are too large",
          String.valueOf(tooLarge.getMessage()));
    } catch (IllegalArgumentException unfit) {
      throw Problem.badRequest("arguments", String.valueOf(unfit.getMessage()));
    } catch (NullPointerException | ClassCastException unfit) {
      throw Problem.badRequest("arguments", "a value is missing, or is of another class");
    }
  }

  /** A read whose handle would not fit is refused; one of an update has less than it was given. */
  private static void tellSeen(
      Operation operation, Outcome<?> outcome, CausalChain chain, HttpServletResponse response) {
    if (!(outcome instanceof Outcome.Ok || outcome instanceof Outcome.Threw)) {
      return;
    }
    String handle = chain.handle().toString();
    if (handle.length() <= HttpLimits.HANDLE_MAX_CHARS) {
      response.setHeader(Headers.HANDLE, handle);
    } else if (!operation.isUpdate()) {
      throw Problem.unavailable(
          "what was seen fits no header, because many clients write at the same time: repeat later,"
              + " or without a handle");
    }
  }

  private Reply reply(
      String service,
      Operation operation,
      Outcome<?> outcome,
      HttpServletRequest request,
      HttpServletResponse response) {
    return switch (outcome) {
      case Outcome.Ok<?>(var value) when !operation.hasResult() ->
          Reply.of(HttpServletResponse.SC_NO_CONTENT);
      case Outcome.Ok<?>(var value) -> result(operation, value);
      case Outcome.Threw<?> threw -> throw thrown(service, operation, threw);
      case Outcome.Unable<?>(Outcome.Reason reason, String detail) ->
          unable(service, reason, detail, request, response);
      case Outcome.Unknown<?>(String detail) -> throw unknown(detail, operation, response);
    };
  }

  private static Reply result(Operation operation, @Nullable Object value) {
    try {
      return Reply.ofJson(Json.write(value, operation.result()));
    } catch (RuntimeException | LinkageError | StackOverflowError unfit) {
      throw noted(
          Problem.failure(
              "result-without-form",
              "Executed, but the result has no JSON form",
              operation.isUpdate()
                  ? "its writes are kept: do not send it again under another key"
                  : "repeating it does not help"),
          unfit);
    }
  }

  private static Problem thrown(String service, Operation operation, Outcome.Threw<?> threw) {
    if (operation.declares(threw.className())) {
      return Problem.declared(threw.className(), threw.message());
    }
    String detail = "the method threw what the interface does not declare, and wrote nothing";
    Problem failure = Problem.failure("method-failed", "Executed, but the method failed", detail);
    LOGGER.log(
        Level.WARNING,
        "{0}: {1}.{2} threw {3}",
        failure.instance(),
        service,
        operation.name(),
        threw.what());
    return failure;
  }

  private Reply unable(
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
    int below = cannot ? Integer.MAX_VALUE : load();
    return elsewhere(whiteboard.others(service), below, request, response)
        .orElseThrow(() -> Problem.unavailable(detail));
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

  /** Another server is asked instead, if there is one. */
  private Optional<Reply> elsewhere(
      Whiteboard.Others others,
      int below,
      HttpServletRequest request,
      HttpServletResponse response) {
    Optional<String> url = others.alternative(below);
    String query = request.getQueryString();
    url.ifPresent(place ->
        response.setHeader(
            "Location", place + encoded(request) + (query == null ? "" : "?" + query)));
    return url.map(place -> Reply.of(TEMPORARY_REDIRECT));
  }

  /** The path below this servlet, as it was sent. */
  private static String encoded(HttpServletRequest request) {
    String base = request.getContextPath() + request.getServletPath();
    String uri = request.getRequestURI();
    return uri.startsWith(base) ? uri.substring(base.length()) : uri;
  }
}
