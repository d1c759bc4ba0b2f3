package dev.tempest.bench;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Values as JSON. */
final class Json {
  private Json() {}

  static String value(Object value) {
    return switch (value) {
      // NaN and infinity have no place in JSON; a run without a request has a mean of 0.
      case Double number -> String.format(Locale.ROOT, "%.3f", number);
      case Number number -> number.toString();
      case Boolean truth -> truth.toString();
      case List<?> list ->
          list.stream().map(Json::value).collect(Collectors.joining(",", "[", "]"));
      default -> text(value.toString());
    };
  }

  static String text(String text) {
    StringBuilder json = new StringBuilder("\"");
    text.chars()
        .forEach(character -> {
          if (character < ' ') {
            json.append("\\u%04x".formatted(character));
          } else {
            json.append(character == '"' || character == '\\' ? "\\" : "").append((char) character);
          }
        });
    return json.append('"').toString();
  }
}
