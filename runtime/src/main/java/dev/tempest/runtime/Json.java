package dev.tempest.runtime;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes JSON. */
public final class Json {
  private Json() {}

  /** Maps, collections, numbers, truth values and null as JSON; anything else as its text. */
  public static String of(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(each -> quote(String.valueOf(each.getKey())) + ":" + of(each.getValue()))
              .collect(Collectors.joining(",", "{", "}"));
      case Collection<?> all ->
          all.stream().map(Json::of).collect(Collectors.joining(",", "[", "]"));
      case Number number -> number.toString();
      case Boolean truth -> truth.toString();
      default -> quote(value.toString());
    };
  }

  /** A text as a JSON string. */
  public static String quote(String text) {
    var json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ') {
        json.append(String.format("\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }
}
