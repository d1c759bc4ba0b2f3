package dev.tempest.http;

import dev.tempest.FrontEnd;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The OpenAPI 3.1 document of the services that a server has. Made anew each time; cheap. */
final class OpenApi {
  private static final String VERSION = "3.1.0";

  /** No type of Java is called so. */
  private static final String PROBLEM = "problem-details";

  private final Schemas schemas = new Schemas();

  private OpenApi() {}

  /**
   * The document.
   *
   * @param base where the paths begin: empty, or a path
   */
  static Map<String, Object> of(Map<String, ServiceApi> services, String base) {
    return new OpenApi().document(services, base);
  }

  private Map<String, Object> document(Map<String, ServiceApi> services, String base) {
    Map<String, Object> paths = new LinkedHashMap<>();
    services.forEach((service, api) -> {
      for (Operation operation : api.operations()) {
        paths.put(
            "/services/" + service + "/" + operation.name(),
            Map.of(operation.isUpdate() ? "post" : "get", describe(service, operation)));
      }
    });
    Map<String, Object> components = new LinkedHashMap<>(schemas.components());
    components.put(PROBLEM, problem());
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("openapi", VERSION);
    document.put("info", Schemas.ordered("title", "Services of a Tempest cluster", "version", "1"));
    document.put("servers", List.of(Map.of("url", base.isEmpty() ? "/" : base)));
    document.put("paths", paths);
    document.put("components", Map.of("schemas", components));
    return document;
  }

  private Map<String, Object> describe(String service, Operation operation) {
    Map<String, Object> described = new LinkedHashMap<>();
    described.put("operationId", service + "." + operation.name());
    described.put("tags", List.of(service));
    List<Object> parameters = new ArrayList<>();
    parameters.add(
        header(
            Headers.HANDLE,
            "What the caller has seen; the answer reflects it.",
            Map.of("type", "string")));
    if (operation.isUpdate()) {
      parameters.add(header(Headers.KEY, "The same for all attempts of one request.", key()));
      described.put("requestBody", body(operation));
    } else {
      operation.parameters().forEach(each -> parameters.add(query(each)));
    }
    described.put("parameters", parameters);
    described.put("responses", responses(operation));
    return described;
  }

  private static Map<String, Object> header(
      String name, String description, Map<String, Object> schema) {
    Map<String, Object> header = Schemas.ordered("name", name, "in", "header");
    header.put("description", description);
    header.put("schema", schema);
    return header;
  }

  private static Map<String, Object> key() {
    Map<String, Object> key = Schemas.ordered("type", "string", "minLength", 1);
    key.put("maxLength", FrontEnd.KEY_MAX);
    key.put("pattern", "^[!-~]*$");
    return key;
  }

  private Map<String, Object> query(Operation.Argument argument) {
    Map<String, Object> query = Schemas.ordered("name", argument.name(), "in", "query");
    query.put("required", !Schemas.isOptional(argument.type()));
    Map<String, Object> schema = schemas.of(argument.type());
    if (Schemas.isPlain(argument.type())) {
      query.put("schema", schema);
    } else {
      query.put("content", Map.of("application/json", Map.of("schema", schema)));
    }
    return query;
  }

  /** The arguments by name, or in order. */
  private Map<String, Object> body(Operation operation) {
    Map<String, Object> properties = new LinkedHashMap<>();
    List<Object> inOrder = new ArrayList<>();
    for (Operation.Argument each : operation.parameters()) {
      Map<String, Object> schema = schemas.of(each.type());
      properties.put(each.name(), schema);
      inOrder.add(schema);
    }
    Map<String, Object> array = Schemas.ordered("type", "array", "minItems", inOrder.size());
    array.put("maxItems", inOrder.size());
    if (!inOrder.isEmpty()) {
      array.put("prefixItems", inOrder);
    }
    Map<String, Object> schema =
        Map.of(
            "oneOf", List.of(Schemas.object(properties, List.copyOf(properties.keySet())), array));
    return Schemas.ordered(
        "required", true, "content", Map.of("application/json", Map.of("schema", schema)));
  }

  private Map<String, Object> responses(Operation operation) {
    Map<String, Object> responses = new LinkedHashMap<>();
    if (operation.hasResult()) {
      Map<String, Object> result = schemas.ofNullable(operation.result());
      responses.put("200", executed(operation, json("Executed: the result", result)));
    } else {
      Map<String, Object> nothing = new LinkedHashMap<>(Map.of("description", "Executed"));
      responses.put("204", executed(operation, nothing));
    }
    if (!operation.exceptions().isEmpty()) {
      Map<String, Object> threw =
          problem("Executed: the method threw an exception that it declares");
      responses.put("409", executed(operation, threw));
    }
    if (operation.isUpdate()) {
      responses.put("410", problem("The key was used too long ago"));
      responses.put("422", problem("The key was used for another request"));
    }
    responses.put("307", elsewhere());
    responses.put("503", later());
    responses.put("504", unknown(operation));
    responses.put("default", problem("Refused"));
    return responses;
  }

  private static Map<String, Object> elsewhere() {
    Map<String, Object> schema = Map.of("type", "string", "format", "uri-reference");
    return Schemas.ordered(
        "description",
        "Not executed here: another server can",
        "headers",
        Map.of("Location", answered("Where: the same request, there.", schema)));
  }

  private static Map<String, Object> later() {
    Map<String, Object> later = problem("Not executed, by no server: repeat it later");
    Map<String, Object> seconds = Map.of("type", "integer");
    later.put("headers", Map.of("Retry-After", answered("In how many seconds.", seconds)));
    return later;
  }

  private static Map<String, Object> unknown(Operation operation) {
    if (!operation.isUpdate()) { // It has no key, and needs none.
      return problem("Not answered in time: repeat it");
    }
    Map<String, Object> unknown =
        problem("Perhaps executed: repeat it with the same " + Headers.KEY + ", if it had one");
    unknown.put("headers", Map.of(Headers.KEY, keyOfRequest()));
    return unknown;
  }

  private static Map<String, Object> keyOfRequest() {
    return answered("The key of the request, if it had one.", key());
  }

  private static Map<String, Object> answered(String description, Map<String, Object> schema) {
    return Schemas.ordered("description", description, "schema", schema);
  }

  /** The response to what was executed says what its caller has seen. */
  private static Map<String, Object> executed(Operation operation, Map<String, Object> response) {
    String when = operation.isUpdate() ? "" : " There if the request had one.";
    Map<String, Object> headers = new LinkedHashMap<>();
    headers.put(
        Headers.HANDLE,
        answered(
            "What the caller has seen: to be sent with the next request." + when,
            Map.of("type", "string")));
    if (operation.isUpdate()) {
      headers.put(Headers.KEY, keyOfRequest());
    }
    response.put("headers", headers);
    return response;
  }

  private static Map<String, Object> json(String description, Map<String, Object> schema) {
    return Schemas.ordered(
        "description",
        description,
        "content",
        Map.of("application/json", Map.of("schema", schema)));
  }

  private static Map<String, Object> problem(String description) {
    return Schemas.ordered(
        "description",
        description,
        "content",
        Map.of(
            Problem.MEDIA_TYPE,
            Map.of("schema", Map.of("$ref", "#/components/schemas/" + PROBLEM))));
  }

  /** As RFC 9457 has it. */
  private static Map<String, Object> problem() {
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("type", Map.of("type", "string", "format", "uri"));
    properties.put("title", Map.of("type", "string"));
    properties.put("status", Map.of("type", "integer"));
    properties.put("detail", Map.of("type", "string"));
    properties.put("instance", Map.of("type", "string", "format", "uri"));
    return Schemas.ordered("type", "object", "properties", properties);
  }
}
