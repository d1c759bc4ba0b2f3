package dev.tempest.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.service.Update;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The document holds together, and says what {@link Json} reads and writes. */
final class OpenApiTest {
  private static final Set<String> TYPES =
      Set.of("object", "array", "string", "integer", "number", "boolean", "null");

  private final JsonNode document =
      Json.parse(
          new String(
              Json.write(OpenApi.of(Map.of("shop", ServiceApi.of(Shop.class)), "/api")),
              StandardCharsets.UTF_8),
          "document");

  @Test
  void everyMethodIsAnOperation() {
    assertThat(document.get("openapi").stringValue()).isEqualTo("3.1.0");
    assertThat(document.at("/servers/0/url").stringValue()).isEqualTo("/api");
    assertThat(document.get("info").propertyNames()).contains("title", "version");
    List<String> operations = new ArrayList<>();
    document
        .get("paths")
        .forEachEntry((path, item) ->
            item.forEachEntry((verb, operation) -> {
              operations.add(verb + " " + path);
              assertThat(operation.get("operationId").isString()).isTrue();
              assertThat(operation.get("responses").propertyNames())
                  .contains("503", "504", "default")
                  .anyMatch(code -> code.equals("200") || code.equals("204"));
            }));
    assertThat(operations)
        .contains(
            "post /services/shop/add", "get /services/shop/count", "get /services/shop/times(int)")
        .hasSize(Shop.class.getMethods().length);
  }

  @Test
  void parametersHaveTheirNamesAndTypes() {
    JsonNode add = document.at("/paths/~1services~1shop~1add/post");
    JsonNode byName = add.at("/requestBody/content/application~1json/schema/oneOf/0");
    assertThat(byName.at("/properties/item/type").stringValue()).isEqualTo("string");
    assertThat(byName.at("/properties/count/format").stringValue()).isEqualTo("int32");
    assertThat(byName.get("required").toString()).isEqualTo("[\"item\",\"count\"]");
    assertThat(add.get("responses").propertyNames()).contains("200", "409", "410", "422");
    JsonNode count = document.at("/paths/~1services~1shop~1count/get");
    assertThat(count.get("parameters").toString())
        .contains("\"name\":\"item\",\"in\":\"query\",\"required\":true");
  }

  /** A read has no key that could be repeated. */
  @Test
  void onlyAnUpdateIsRepeatedWithItsKey() {
    document
        .get("paths")
        .forEachEntry((path, item) ->
            item.forEachEntry((verb, operation) -> {
              String late = operation.at("/responses/504/description").stringValue();
              boolean hasKey = operation.get("parameters").toString().contains(Headers.KEY);
              assertThat(hasKey).as(path).isEqualTo(verb.equals("post"));
              assertThat(late.contains("key") || late.contains(Headers.KEY))
                  .as(path)
                  .isEqualTo(hasKey);
            }));
  }

  @Test
  void whatWasExecutedSaysWhatItsCallerHasSeen() {
    String handle = "/headers/Tempest-Handle/description";
    JsonNode add = document.at("/paths/~1services~1shop~1add/post/responses");
    assertThat(add.at("/200" + handle).stringValue()).doesNotContain("if the request had one");
    assertThat(add.at("/409" + handle).isString()).isTrue();
    assertThat(add.at("/503" + handle).isMissingNode()).as("nothing was seen").isTrue();
    JsonNode clear = document.at("/paths/~1services~1shop~1clear/post/responses");
    assertThat(clear.at("/204" + handle).isString()).isTrue();
    JsonNode count = document.at("/paths/~1services~1shop~1count/get/responses");
    assertThat(count.at("/200" + handle).stringValue()).contains("if the request had one");
  }

  @Test
  void whoCannotAnswerSaysWhereAndWhenToAsk() {
    document
        .get("paths")
        .forEachEntry((path, item) ->
            item.forEachEntry((verb, operation) -> {
              JsonNode answers = operation.get("responses");
              assertThat(answers.at("/307/headers/Location/schema").isObject()).as(path).isTrue();
              assertThat(answers.at("/503/headers/Retry-After/schema/type").stringValue())
                  .as(path)
                  .isEqualTo("integer");
            }));
  }

  @Test
  void aKeySaysHowLongItMayBe() {
    JsonNode add = document.at("/paths/~1services~1shop~1add/post");
    assertThat(add.get("parameters").toString()).contains("\"maxLength\":255");
    for (String status : List.of("200", "409", "504")) {
      String header = "/responses/%s/headers/Idempotency-Key/schema".formatted(status);
      assertThat(add.at(header).isObject()).as(status).isTrue();
    }
    JsonNode count = document.at("/paths/~1services~1shop~1count/get/responses/200/headers");
    assertThat(count.propertyNames()).containsExactly(Headers.HANDLE);
  }

  /** Has a record that is called as what we answer. */
  interface Troubles {
    record Problem(int line) {}

    @Update
    Problem tell(Problem problem);
  }

  @Test
  void aRecordOfUsersIsNotOurs() {
    Map<String, Object> troubles = OpenApi.of(Map.of("it", ServiceApi.of(Troubles.class)), "");
    JsonNode written = Json.parse(new String(Json.write(troubles), StandardCharsets.UTF_8), "it");
    assertThat(written.at("/components/schemas/Problem/properties").propertyNames())
        .containsExactly("line");
  }

  @Test
  void recordsEnumsAndSealedTypesAreComponents() {
    JsonNode schemas = document.at("/components/schemas");
    assertThat(schemas.propertyNames())
        .contains("Order", "Line", "Size", "Payment", "Pair_String_Integer", "problem-details");
    assertThat(schemas.at("/Size/enum").toString()).isEqualTo("[\"SMALL\",\"LARGE\"]");
    assertThat(schemas.at("/Order/required").toString()).isEqualTo("[\"letter\",\"big\"]");
    assertThat(schemas.at("/Payment/oneOf/0/properties/@type/const").stringValue())
        .isEqualTo("Card");
    assertThat(schemas.at("/Pair_String_Integer/properties/second").toString()).contains("int32");
  }

  /** Every reference leads somewhere, and every type is one of JSON Schema. */
  @Test
  void itHoldsTogether() {
    check(document);
  }

  private void check(JsonNode node) {
    JsonNode reference = node.get("$ref");
    if (reference != null) {
      String pointer = reference.stringValue().substring(1);
      assertThat(document.at(pointer).isObject()).as(pointer).isTrue();
    }
    JsonNode type = node.get("type");
    if (type != null && type.isString()) {
      assertThat(TYPES).contains(type.stringValue());
    }
    node.forEach(this::check);
  }
}
