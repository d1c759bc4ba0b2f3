package dev.tempest.cli;

import dev.tempest.admin.MethodDescription;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Values of declared types as they are written on a command line. */
final class ArgumentText {
  private static final Pattern PACKAGES = Pattern.compile("(?:[^\\W\\d][\\w$]*\\.)+");

  private ArgumentText() {}

  /**
   * The arguments of a call.
   *
   * @throws IllegalArgumentException if they do not fit the method, saying what is expected
   */
  static Object[] parse(MethodDescription method, List<String> texts) {
    List<String> types = method.parameters();
    if (texts.size() != types.size()) {
      throw new IllegalArgumentException(
          method.name()
              + " takes "
              + types.size()
              + (types.size() == 1 ? " argument" : " arguments")
              + ", not "
              + texts.size());
    }
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      values.add(parse("argument " + (i + 1), types.get(i), texts.get(i)));
    }
    return values.toArray();
  }

  private static Object parse(String which, String type, String text) {
    try {
      return switch (type) {
        case "java.lang.String" -> text;
        case "int", "java.lang.Integer" -> Integer.parseInt(text);
        case "long", "java.lang.Long" -> Long.parseLong(text);
        case "short", "java.lang.Short" -> Short.parseShort(text);
        case "byte", "java.lang.Byte" -> Byte.parseByte(text);
        case "double", "java.lang.Double" -> Double.parseDouble(text);
        case "float", "java.lang.Float" -> Float.parseFloat(text);
        case "boolean", "java.lang.Boolean" -> parseBoolean(text);
        case "char", "java.lang.Character" -> parseCharacter(text);
        case "[B" -> parseBytes(text);
        default ->
            throw new IllegalArgumentException(
                which
                    + " is of the type "
                    + simpleName(type)
                    + ", which cannot be written on a command line: call it from Java");
      };
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          which + ", '" + text + "', is not a valid " + simpleName(type) + hint(type), e);
    }
  }

  private static boolean parseBoolean(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new NumberFormatException(text);
    };
  }

  private static char parseCharacter(String text) {
    if (text.length() != 1) {
      throw new NumberFormatException(text);
    }
    return text.charAt(0);
  }

  private static byte[] parseBytes(String text) {
    try {
      return HexFormat.of().parseHex(text);
    } catch (IllegalArgumentException e) {
      NumberFormatException malformed = new NumberFormatException(text);
      malformed.initCause(e);
      throw malformed;
    }
  }

  private static String hint(String type) {
    return switch (type) {
      case "int", "java.lang.Integer" -> " (a whole number from -2147483648 to 2147483647)";
      case "boolean", "java.lang.Boolean" -> " (true or false)";
      case "char", "java.lang.Character" -> " (one character)";
      case "[B" -> " (hex digits in pairs)";
      default -> "";
    };
  }

  /** A method as it reads in Java, without packages. */
  static String signature(MethodDescription method) {
    return simpleName(method.result())
        + " "
        + method.name()
        + method.parameters().stream()
            .map(ArgumentText::simpleName)
            .collect(Collectors.joining(", ", "(", ")"));
  }

  /** A result for people, and for scripts: one line unless it has lines itself. */
  static String print(@Nullable Object value) {
    return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(value);
  }

  private static String simpleName(String type) {
    return type.equals("[B") ? "byte[]" : PACKAGES.matcher(type).replaceAll("").replace('$', '.');
  }
}
