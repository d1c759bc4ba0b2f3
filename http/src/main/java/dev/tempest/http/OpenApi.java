package dev.tempest.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The OpenAPI 3.1 document of the services that a server has. Made anew each time; cheap. */
final class OpenApi {
  private static final String VERSION = "3.1.0";
  private static final String PROBLEM = "Problem";

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
    parameters.add(parameter(Headers.HANDLE, "What the caller has seen; the answer reflects it."));
    if (operation.isUpdate()) {
      parameters.add(parameter(Headers.KEY, "The same for all attempts of one request."));
      described.put("requestBody", body(operation));
    } else {
      operation.parameters().forEach(each -> parameters.add(query(each)));
    }
    described.put("parameters", parameters);
    described.put("responses", responses(operation));
    return described;
  }

  /** A header of a request. */
  private static Map<String, Object> parameter(String header, String description) {
    Map<String, Object> parameter = Schemas.ordered("name", header, "in", "header");
    parameter.put("description", description);
    parameter.put("schema", Map.of("type", "string"));
    return parameter;
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
    Map<String, Object> unavailable = problem("Not executed, by no server: repeat it later");
    unavailable.put("headers", Map.of("Retry-After", header("After so many seconds.", "integer")));
    responses.put("503", unavailable);
    responses.put("504", unknown(operation));
    responses.put("default", problem("Refused"));
    return responses;
  }

  private static Map<String, Object> elsewhere() {
    Map<String, Object> location = header("Where it is to be sent, as it is.", "string");
    return Schemas.ordered(
        "description", "Not executed here", "headers", Map.of("Location", location));
  }

  private static Map<String, Object> unknown(Operation operation) {
    if (!operation.isUpdate()) { // It has no key, and needs none.
      return problem("Not answered in time: repeat it");
    }
    Map<String, Object> response =
        problem("Perhaps executed: repeat it with the same " + Headers.KEY + ", if it had one");
    response.put("headers", Map.of(Headers.KEY, keyOfRequest()));
    return response;
  }

  /** The response to what was executed says what its caller has seen. */
  private static Map<String, Object> executed(Operation operation, Map<String, Object> response) {
    String seen = "What the caller has seen: to be sent with the next request.";
    Map<String, Object> headers = new LinkedHashMap<>();
    if (operation.isUpdate()) {
      headers.put(Headers.HANDLE, header(seen, "string"));
      headers.put(Headers.KEY, keyOfRequest());
    } else {
      headers.put(Headers.HANDLE, header(seen + " There if the request had one.", "string"));
    }
    response.put("headers", headers);
    return response;
  }

  private static Map<String, Object> keyOfRequest() {
    return header("That of the request. There if it had one.", "string");
  }

  /** Of a response. */
  private static Map<String, Object> header(String description, String type) {
    return Schemas.ordered("description", description, "schema", Map.of("type", type));
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
