package dev.tempest.wire;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The kinds of message that have a number each: what is said of a log is one for each of these. */
final class Kinds {
  private Kinds() {}

  static List<Class<?>> all() {
    return within(Message.class).distinct().toList();
  }

  static Class<?> of(Message message) {
    return message instanceof Message.OfLog log ? log.said().getClass() : message.getClass();
  }

  private static Stream<Class<?>> within(Class<?> type) {
    if (type == Message.OfLog.class) {
      return within(LogMessage.class);
    }
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(Kinds::within)
        : Stream.of(type);
  }
}
