package dev.tempest.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.TypeConversionException;

/**
 * What can be chosen of an experiment: an option of its command.
 *
 * @param name of the option, without the dashes
 * @param kind what a value looks like
 * @param usual the value without the option
 * @param full the value with {@code --full}
 * @param least the smallest number allowed
 * @param most the largest
 * @param description for people; empty if it is for tests alone
 */
record Setting(
    String name,
    Kind kind,
    String usual,
    String full,
    double least,
    double most,
    String description) {
  enum Kind {
    FLAG,
    NUMBER,
    NUMBERS,
    SECONDS,
    WORDS,
    FILE
  }

  private static final double SECONDS_LEAST = 0.001;
  private static final double DAY_SECONDS = 86_400;

  /** Off without the option. */
  static Setting flag(String name, String description) {
    return new Setting(name, Kind.FLAG, "false", "false", 0, 0, description);
  }

  /** One whole number, from 1 on. */
  static Setting number(String name, String usual, String description) {
    return new Setting(name, Kind.NUMBER, usual, usual, 1, Integer.MAX_VALUE, description);
  }

  /** Whole numbers with commas between, from 1 on. */
  static Setting numbers(String name, String usual, String description) {
    return new Setting(name, Kind.NUMBERS, usual, usual, 1, Integer.MAX_VALUE, description);
  }

  /** A time, from a millisecond to a day. */
  static Setting seconds(String name, String usual, String description) {
    return new Setting(name, Kind.SECONDS, usual, usual, SECONDS_LEAST, DAY_SECONDS, description);
  }

  /** Some of the usual words, with commas between. */
  static Setting words(String name, String usual, String description) {
    return new Setting(name, Kind.WORDS, usual, usual, 0, 0, description);
  }

  /** A file of {@link Latency.Measured#read milliseconds}; none without the option. */
  static Setting file(String name, String description) {
    return new Setting(name, Kind.FILE, "", "", 0, 0, description);
  }

  static Setting rounds(String usual) {
    return number("rounds", usual, "How often each system is measured.");
  }

  static Setting perRound(String usual) {
    return seconds("seconds", usual, "How long each system runs in a round.");
  }

  /** How long a system runs before it is measured; with 0 it does not. */
  static Setting warmUp(String usual) {
    return seconds("warm-up", usual, "").within(0, DAY_SECONDS);
  }

  /** The same with another value for {@code --full}. */
  Setting full(String value) {
    return new Setting(name, kind, usual, value, least, most, description);
  }

  /** The same with other limits for numbers. */
  Setting within(double from, double to) {
    return new Setting(name, kind, usual, full, from, to, description);
  }

  /** The value, if it can be one. */
  String checked(String value) {
    List<String> parts = parts(value);
    boolean fits =
        switch (kind) {
          case FLAG -> true;
          case NUMBER, SECONDS -> isWithin(value);
          case NUMBERS -> parts.stream().allMatch(this::isWithin);
          case WORDS -> parts(usual).containsAll(parts);
          case FILE -> isReadable(Path.of(value));
        };
    if (fits) {
      return value;
    }
    String limits = "%s to %s".formatted(Spread.number(least), Spread.number(most));
    String expected =
        switch (kind) {
          case WORDS -> "some of " + usual;
          case FILE -> "a file that can be read";
          default -> limits;
        };
    throw new TypeConversionException("%s, not %s".formatted(expected, value));
  }

  /** Whether it can be read; what is wrong in it is said here. */
  private static boolean isReadable(Path file) {
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      return false;
    }
    try {
      var _ = Latency.Measured.read(file);
      return true;
    } catch (IOException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  /** What stands for a value in the help. */
  String label() {
    return switch (kind) {
      case NUMBERS -> "N,...";
      case WORDS -> name.toUpperCase(Locale.ROOT) + ",...";
      case FILE -> "FILE";
      case FLAG, NUMBER, SECONDS -> "N";
    };
  }

  private boolean isWithin(String part) {
    try {
      double number = kind == Kind.SECONDS ? Double.parseDouble(part) : Long.parseLong(part);
      return number >= least && number <= most;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  static List<String> parts(String value) {
    return List.of(value.split(",", -1));
  }
}
