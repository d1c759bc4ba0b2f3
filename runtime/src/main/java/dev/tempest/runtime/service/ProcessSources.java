package dev.tempest.runtime.service;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The methods of the JDK that give each process something else: the time, and random numbers. */
final class ProcessSources {
  private static final String TIME = "take the request's time, state.action().now()";
  private static final String RANDOM = "take the request's random numbers, state.action().random()";
  private static final String SEEDED = "give it a seed, or " + RANDOM;
  private static final String NEW = "<init>";

  /** Whatever their parameters are. */
  private static final Map<String, Map<String, String>> ALWAYS =
      Map.ofEntries(
          Map.entry("java/lang/System", Map.of("currentTimeMillis", TIME, "nanoTime", TIME)),
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
}
