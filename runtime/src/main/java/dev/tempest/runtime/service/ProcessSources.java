package dev.tempest.runtime.service;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The methods of the JDK that give each process something else: the time, random numbers, its zone
 * and locale, hash codes of objects, and orders of iteration.
 */
final class ProcessSources {
  private static final String TIME = "take the request's time, state.action().now()";
  private static final String RANDOM = "take the request's random numbers, state.action().random()";
  private static final String SEEDED = "give it a seed, or " + RANDOM;
  private static final String ZONE = "name the zone, such as ZoneOffset.UTC";
  private static final String LOCALE = "name the locale, such as Locale.ROOT";
  private static final String HASH = "hash what the object holds";
  private static final String ORDER =
      "each process iterates over it in an order of its own: take a List, a LinkedHashSet, a"
          + " LinkedHashMap, or what is sorted";
  private static final String EXACT = "take that of StrictMath, or round the result";
  private static final String NEW = "<init>";

  /** Whatever their parameters are. */
  private static final Map<String, Map<String, String>> ALWAYS =
      Map.ofEntries(
          Map.entry(
              "java/lang/System",
              Map.of("currentTimeMillis", TIME, "nanoTime", TIME, "identityHashCode", HASH)),
          Map.entry("java/time/ZoneId", Map.of("systemDefault", ZONE)),
          Map.entry("java/util/TimeZone", Map.of("getDefault", ZONE)),
          Map.entry("java/util/Locale", Map.of("getDefault", LOCALE)),
          Map.entry("java/lang/Math", Map.of("random", RANDOM)),
          Map.entry("java/lang/StrictMath", Map.of("random", RANDOM)),
          Map.entry(
              "java/time/Clock",
              Map.of(
                  "systemUTC", TIME,
                  "systemDefaultZone", TIME,
                  "system", TIME,
                  "tickMillis", TIME,
                  "tickSeconds", TIME,
                  "tickMinutes", TIME)),
          Map.entry("java/time/InstantSource", Map.of("system", TIME)),
          Map.entry("java/util/Calendar", Map.of("getInstance", TIME)),
          Map.entry(
              "java/util/UUID",
              Map.of(
                  "randomUUID",
                  "make it of numbers that the request draws, new UUID(random.nextLong(),"
                      + " random.nextLong()) with random = state.action().random()")),
          Map.entry("java/util/concurrent/ThreadLocalRandom", Map.of("current", RANDOM)),
          Map.entry(
              "java/security/SecureRandom",
              Map.of(NEW, RANDOM, "getInstance", RANDOM, "getInstanceStrong", RANDOM)),
          Map.entry(
              "java/util/random/RandomGenerator", Map.of("getDefault", RANDOM, "of", RANDOM)));

  /** Without these parameters; with others they are told what to give. */
  private static final Map<String, Map<String, String>> WITHOUT_SEED =
      Map.of(
          "java/util/Random", Map.of(NEW + "()", SEEDED),
          "java/util/SplittableRandom", Map.of(NEW + "()", SEEDED),
          "java/util/random/RandomGeneratorFactory", Map.of("create()", SEEDED),
          "java/util/Collections",
              Map.of("shuffle(Ljava/util/List;)", "give it state.action().random()"),
          "java/util/Date", Map.of(NEW + "()", TIME),
          "java/util/GregorianCalendar",
              Map.of(
                  NEW + "()", TIME,
                  NEW + "(Ljava/util/TimeZone;)", TIME,
                  NEW + "(Ljava/util/Locale;)", TIME,
                  NEW + "(Ljava/util/TimeZone;Ljava/util/Locale;)", TIME));

  private static final String SPRINTF = "(Ljava/lang/String;[Ljava/lang/Object;)";

  /** Of the locale. */
  private static final Map<String, Map<String, String>> WITHOUT_LOCALE =
      Map.of(
          "java/lang/String",
          Map.of(
              "toLowerCase()",
              LOCALE,
              "toUpperCase()",
              LOCALE,
              "formatted([Ljava/lang/Object;)",
              LOCALE,
              "format" + SPRINTF,
              LOCALE),
          "java/time/format/DateTimeFormatter",
          Map.of("ofPattern(Ljava/lang/String;)", LOCALE));

  /** They hash with a number that each process draws, or by where an object lies in memory. */
  private static final Map<String, Set<String>> UNORDERED =
      Map.of(
          "java/util/Set", Set.of("of", "copyOf"),
          "java/util/Map", Set.of("of", "ofEntries", "copyOf"),
          "java/util/stream/Collectors", Set.of("toUnmodifiableSet", "toUnmodifiableMap"),
          "java/util/IdentityHashMap", Set.of(NEW));

  /** Their last bit is up to the processor and the compiler. */
  private static final Set<String> INEXACT =
      Set.of(
          "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp",
          "expm1", "log", "log10", "log1p", "pow", "cbrt", "hypot");

  private static final Set<String> TIME_PACKAGES = Set.of("java/time/", "java/time/chrono/");
  private static final List<String> GIVEN_CLOCKS =
      List.of("Ljava/time/Clock;", "Ljava/time/InstantSource;");

  private ProcessSources() {}

  /**
   * What to use in place of a method; null if it gives the same in every process, as far as is
   * known.
   *
   * @param owner the internal name of its class
   * @param name {@code <init>} for a constructor
   * @param descriptor of its type
   */
  static @Nullable String remedy(String owner, String name, String descriptor) {
    String always = ALWAYS.getOrDefault(owner, Map.of()).get(name);
    if (always != null) {
      return always;
    }
    String parameters = descriptor.substring(0, descriptor.indexOf(')') + 1);
    String withoutSeed = WITHOUT_SEED.getOrDefault(owner, Map.of()).get(name + parameters);
    if (withoutSeed != null) {
      return withoutSeed;
    }
    boolean isNow =
        name.equals("now")
            && TIME_PACKAGES.contains(owner.substring(0, owner.lastIndexOf('/') + 1))
            && GIVEN_CLOCKS.stream().noneMatch(parameters::contains);
    return isNow ? TIME : null;
  }

  /**
   * What to use in place of a method whose result differs from process to process in what seldom
   * matters: the order of an iteration, the language of a text, or the last bit of a number; null
   * for others.
   */
  static @Nullable String caution(String owner, String name, String descriptor) {
    if (owner.equals("java/lang/Math") && INEXACT.contains(name)) {
      return EXACT;
    }
    String parameters = descriptor.substring(0, descriptor.indexOf(')') + 1);
    String byName = UNORDERED.getOrDefault(owner, Set.of()).contains(name) ? ORDER : null;
    return byName != null && !isTooSmall(owner, parameters)
        ? byName
        : WITHOUT_LOCALE.getOrDefault(owner, Map.of()).get(name + parameters);
  }

  /** A set or map of none or one has an order. */
  private static boolean isTooSmall(String owner, String parameters) {
    return switch (owner) {
      case "java/util/Set" -> parameters.equals("()") || parameters.equals("(Ljava/lang/Object;)");
      case "java/util/Map" ->
          parameters.equals("()") || parameters.equals("(Ljava/lang/Object;Ljava/lang/Object;)");
      default -> false;
    };
  }
}
