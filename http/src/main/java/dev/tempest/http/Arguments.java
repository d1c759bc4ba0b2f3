package dev.tempest.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The arguments of a call, as a request has them: in its query, or in its body. */
final class Arguments {
  /** Some editors begin a text with it. */
  private static final String BYTE_ORDER_MARK = "\uFEFF";

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
        Schemas.isText(argument.type()) ? Json.text(texts[0]) : Json.parse(texts[0], place);
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
    JsonNode node = Json.parse(text(body), "body");
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

  /** Strictly: no other encoding, and no other bytes for a character than there are. */
  private static String text(byte[] body) {
    try {
      String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
      return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    } catch (CharacterCodingException malformed) {
      throw Problem.badRequest("body", "it is not in UTF-8");
    }
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
}
