package dev.tempest.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The arguments of a call, as a request has them: in its query, or in its body. */
final class Arguments {
  private static final String JSON = "application/json";
  private static final int CHUNK_BYTES = 8 << 10;
  private static final @Nullable Object[] NO_ARGUMENTS = {};

  private Arguments() {}

  /**
   * The arguments of a read, each a parameter of the query: a text as it is, all else as JSON.
   *
   * @throws Problem if one is missing, is there twice, is not known or is not as declared
   */
  static @Nullable Object[] ofQuery(Operation operation, HttpServletRequest request) {
    Map<String, String[]> query = query(request);
    refuseUnknown(operation, query.keySet(), "the query");
    return operation.parameters().stream()
        .map(each -> ofQuery(each, query.get(each.name())))
        .toArray();
  }

  private static Map<String, String[]> query(HttpServletRequest request) {
    try {
      return request.getParameterMap();
    } catch (IllegalStateException malformed) {
      throw Problem.badRequest("the query", "it is not encoded as a query is");
    }
  }

  private static @Nullable Object ofQuery(Operation.Argument argument, String @Nullable [] texts) {
    String place = "query parameter " + argument.name();
    if (texts == null) {
      if (Schemas.isOptional(argument.type())) {
        return Optional.empty();
      }
      throw Problem.badRequest(place, "it is missing");
    }
    if (texts.length > 1) {
      throw Problem.badRequest(place, "it is there twice");
    }
    JsonNode node =
        Schemas.isText(argument.type())
            ? Json.text(texts[0])
            : Json.parse(texts[0].getBytes(StandardCharsets.UTF_8), place);
    return Json.read(node, argument.type(), place);
  }

  /**
   * The arguments of an update: an object with their names, or an array in their order.
   *
   * @throws Problem as above
   */
  static @Nullable Object[] ofBody(Operation operation, byte[] body) {
    List<Operation.Argument> parameters = operation.parameters();
    if (body.length == 0 && parameters.isEmpty()) {
      return NO_ARGUMENTS;
    }
    JsonNode node = Json.parse(body, "body");
    if (node.isArray()) {
      if (node.size() != parameters.size()) {
        throw Problem.badRequest(
            "body",
            "%d arguments, where there are %d: %s"
                .formatted(node.size(), parameters.size(), names(operation)));
      }
      return read(parameters, each -> node.get(parameters.indexOf(each)));
    }
    if (!node.isObject()) {
      throw Problem.badRequest(
          "body", "write an object with the arguments by name: " + names(operation));
    }
    refuseUnknown(operation, node.propertyNames(), "the body");
    return read(parameters, each -> node.get(each.name()));
  }

  private interface Found {
    @Nullable JsonNode of(Operation.Argument argument);
  }

  private static @Nullable Object[] read(List<Operation.Argument> parameters, Found found) {
    @Nullable Object[] arguments = new Object[parameters.size()];
    for (int i = 0; i < arguments.length; i++) {
      Operation.Argument parameter = parameters.get(i);
      String place = "argument " + parameter.name();
      JsonNode node = found.of(parameter);
      if (node == null) {
        throw Problem.badRequest(place, "it is missing");
      }
      arguments[i] = Json.read(node, parameter.type(), place);
    }
    return arguments;
  }

  private static void refuseUnknown(Operation operation, Iterable<String> given, String where) {
    var unknown = new TreeSet<String>();
    given.forEach(unknown::add);
    operation.parameters().forEach(each -> unknown.remove(each.name()));
    if (!unknown.isEmpty()) {
      throw Problem.badRequest(
          where,
          "unknown argument %s; there are: %s"
              .formatted(String.join(", ", unknown), names(operation)));
    }
  }

  private static String names(Operation operation) {
    return operation.parameters().stream()
        .map(each -> each.name() + " (" + Schemas.word(each.type()) + ")")
        .collect(Collectors.joining(", "));
  }

  /**
   * The body of a request.
   *
   * @throws Problem if it is no JSON by its type, has a query beside it, is too large, or comes too
   *     slowly
   */
  static byte[] body(HttpServletRequest request, HttpLimits limits) throws IOException {
    requireJson(request);
    if (!Optional.ofNullable(request.getQueryString()).orElse("").isEmpty()) {
      throw Problem.badRequest("the query", "an update takes its arguments from its body alone");
    }
    if (request.getContentLengthLong() > limits.bodyMaxBytes()) {
      throw tooLarge(limits);
    }
    return read(request.getInputStream(), limits);
  }

  private static byte[] read(InputStream in, HttpLimits limits) throws IOException {
    var body = new ByteArrayOutputStream();
    byte[] chunk = new byte[CHUNK_BYTES];
    long untilNanos = System.nanoTime() + limits.deadline().toNanos();
    for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
      body.write(chunk, 0, count);
      if (body.size() > limits.bodyMaxBytes()) {
        throw tooLarge(limits);
      }
      if (System.nanoTime() - untilNanos > 0) {
        throw new Problem(
            HttpServletResponse.SC_REQUEST_TIMEOUT,
            "too-slow",
            "The body came too slowly",
            "it was not complete after " + limits.deadline().toMillis() + " ms");
      }
    }
    return body.toByteArray();
  }

  private static Problem tooLarge(HttpLimits limits) {
    return new Problem(
        HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
        "too-large",
        "The body is too large",
        "it has more than " + limits.bodyMaxBytes() + " bytes: divide it into several calls");
  }

  /** Of a body that is empty, too: so no page of a browser posts what its user does not know of. */
  private static void requireJson(HttpServletRequest request) {
    String type = String.valueOf(request.getContentType()).toLowerCase(Locale.ROOT);
    String charset = request.getCharacterEncoding();
    boolean isUtf8 = charset == null || charset.equalsIgnoreCase("utf-8");
    if (!type.split(";", 2)[0].strip().equals(JSON) || !isUtf8) {
      throw new Problem(
          HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE,
          "no-json",
          "The body is no JSON",
          "header Content-Type: write " + JSON + ", in UTF-8, not " + request.getContentType());
    }
  }
}
