package dev.tempest.bench;

import java.util.Locale;
import java.util.Map;

/** An object of strings and numbers as one line of JSON. */
final class JsonLine {
  private JsonLine() {}

  /** The line, without its end; fields in the order of the map. */
  static String of(Map<String, ?> fields) {
    StringBuilder json = new StringBuilder("{");
    fields.forEach((name, value) -> {
      json.append(json.length() == 1 ? "" : ",");
      appendString(json, name);
      appendValue(json.append(':'), value);
    });
    return json.append('}').toString();
  }

  private static void appendValue(StringBuilder json, Object value) {
    switch (value) {
      // NaN and infinity have no place in JSON; a run without a request has a mean of 0.
      case Double number -> json.append(String.format(Locale.ROOT, "%.3f", number));
      case Number number -> json.append(number);
      case Boolean truth -> json.append(truth);
      default -> appendString(json, value.toString());
    }
  }

  private static void appendString(StringBuilder json, String text) {
    json.append('"');
    text.chars()
        .forEach(character -> {
          if (character < ' ') {
            json.append(String.format("\\u%04x", character));
          } else {
            json.append(character == '"' || character == '\\' ? "\\" : "").append((char) character);
          }
        });
    json.append('"');
  }
}
