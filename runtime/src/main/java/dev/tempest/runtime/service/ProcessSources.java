package dev.tempest.runtime.service;

import static dev.tempest.runtime.service.Sources.ANY;
import static dev.tempest.runtime.service.Sources.NEW;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The methods of the JDK that give each process something else: the time, random numbers, orders of
 * iteration, threads; those that end the process; and those of {@link MachineSources}.
 */
final class ProcessSources {
  private static final String TIME = "take the request's time, state.action().now()";
  private static final String RANDOM = "take the request's random numbers, state.action().random()";
  private static final String SEEDED = "give it a seed, or " + RANDOM;
  private static final String HASH = "hash what the object holds";
  private static final String ORDER =
      "each process iterates over it in an order of its own: take a List, a LinkedHashSet, a"
          + " LinkedHashMap, or what is sorted";
  private static final String EXACT = "take that of StrictMath, or round the result";
  private static final String THREADS =
      "threads run in another order in every process: do it in the method itself, or after it in"
          + " the client";
  private static final String THREAD = "each process has other threads: take state.action()";

  private static final String END =
      "it ends every process that executes it, one after the other: throw an exception";

  private static final Sources TIMES =
      new Sources()
          .refuses("java/lang/System", TIME, "currentTimeMillis", "nanoTime")
          .refuses("java/time/Clock", TIME, "systemUTC", "systemDefaultZone", "system")
          .refuses("java/time/Clock", TIME, "tickMillis", "tickSeconds", "tickMinutes")
          .refuses("java/time/InstantSource", TIME, "system")
          .refuses("java/util/Calendar", TIME, "getInstance")
          .refuses("java/util/Date", TIME, "<init>()")
          .refuses("java/util/GregorianCalendar", TIME, "<init>()", "<init>(Ljava/util/TimeZone;)")
          .refuses("java/util/GregorianCalendar", TIME, "<init>(Ljava/util/Locale;)")
          .refuses(
              "java/util/GregorianCalendar",
              TIME,
              "<init>(Ljava/util/TimeZone;Ljava/util/Locale;)");

  private static final Sources RANDOM_NUMBERS =
      new Sources()
          .refuses("java/lang/Math", RANDOM, "random")
          .refuses("java/lang/StrictMath", RANDOM, "random")
          .refuses("java/util/Random", SEEDED, "<init>()")
          .refuses("java/util/SplittableRandom", SEEDED, "<init>()")
          .refuses("java/util/random/RandomGeneratorFactory", SEEDED, "create()")
          .refuses("java/util/random/RandomGenerator", RANDOM, "getDefault", "of")
          .refuses("java/util/concurrent/ThreadLocalRandom", RANDOM, "current")
          .refuses("java/security/SecureRandom", RANDOM, NEW, "getInstance", "getInstanceStrong")
          .refuses(
              "java/util/Collections",
              "give it state.action().random()",
              "shuffle(Ljava/util/List;)")
          .refuses(
              "java/util/UUID",
              "make it of numbers that the request draws, new UUID(random.nextLong(),"
                  + " random.nextLong()) with random = state.action().random()",
              "randomUUID");

  /** They hash with a number that each process draws, or by where an object lies in memory. */
  private static final Sources ORDERS =
      new Sources()
          .refuses("java/lang/System", HASH, "identityHashCode")
          .warns("java/util/Set", ORDER, "of", "copyOf")
          .allows("java/util/Set", "of()", "of(Ljava/lang/Object;)")
          .allows("java/util/EnumSet", "of", "copyOf")
          .warns("java/util/Map", ORDER, "of", "ofEntries", "copyOf")
          .allows("java/util/Map", "of()", "of(Ljava/lang/Object;Ljava/lang/Object;)")
          .warns("java/util/stream/Collectors", ORDER, "toUnmodifiableSet", "toUnmodifiableMap")
          .warns("java/util/IdentityHashMap", ORDER, NEW);

  /** Their last bit is up to the processor and the compiler. */
  private static final Sources LAST_BITS =
      new Sources()
          .warns("java/lang/Math", EXACT, "sin", "cos", "tan", "asin", "acos", "atan", "atan2")
          .warns("java/lang/Math", EXACT, "sinh", "cosh", "tanh", "exp", "expm1", "log", "log10")
          .warns("java/lang/Math", EXACT, "log1p", "pow", "cbrt", "hypot");

  private static final Sources OTHER_THREADS =
      new Sources()
          .warns("java/lang/Thread", THREADS, NEW, "start", "startVirtualThread")
          .warns("java/lang/Thread", THREADS, "ofVirtual", "ofPlatform")
          .warns("java/lang/Thread", THREAD, "getName", "getId", "threadId", "toString")
          .warns("java/util/Timer", THREADS, NEW)
          .warns("java/util/Collection", THREADS, "parallelStream")
          .warns("java/util/stream/BaseStream", THREADS, "parallel")
          .warns("java/util/concurrent/Executors", THREADS, ANY)
          .warns("java/util/concurrent/Executor", THREADS, "execute")
          .warns("java/util/concurrent/ExecutorService", THREADS, "submit", "invokeAll")
          .warns("java/util/concurrent/ExecutorService", THREADS, "invokeAny")
          .warns("java/util/concurrent/ThreadPoolExecutor", THREADS, NEW)
          .warns("java/util/concurrent/ForkJoinPool", THREADS, NEW, "commonPool")
          .warns("java/util/concurrent/CompletableFuture", THREADS, "supplyAsync", "runAsync");

  /** Whoever asks repeats the request at the next server, which ends, too. */
  private static final Sources ENDS =
      new Sources()
          .refuses("java/lang/System", END, "exit")
          .refuses("java/lang/Runtime", END, "exit", "halt");

  private static final List<Sources> TABLES =
      List.of(
          ENDS,
          TIMES,
          RANDOM_NUMBERS,
          ORDERS,
          LAST_BITS,
          OTHER_THREADS,
          MachineSources.ZONES,
          MachineSources.LOCALES,
          MachineSources.SETTINGS,
          MachineSources.FILES);

  private static final Set<String> TIME_PACKAGES = Set.of("java/time/", "java/time/chrono/");
  private static final List<String> GIVEN_CLOCKS =
      List.of("Ljava/time/Clock;", "Ljava/time/InstantSource;");
  private static final Source NOW = new Source(TIME, true, Set.of());

  private ProcessSources() {}

  /**
   * What is said of a method; null if it gives the same in every process, as far as is known.
   *
   * @param owner the internal name of its class
   * @param name {@code <init>} for a constructor
   * @param descriptor of its type
   */
  static @Nullable Source of(String owner, String name, String descriptor) {
    if (!owner.startsWith("java/")) {
      return null;
    }
    String parameters = descriptor.substring(0, descriptor.indexOf(')') + 1);
    for (String type : name.equals(NEW) ? List.of(owner) : withSupertypes(owner)) {
      for (Sources table : TABLES) {
        Source found = table.find(type, name, parameters);
        if (found != null) {
          return found.equals(Sources.FINE) ? null : found;
        }
      }
    }
    boolean isNow =
        name.equals("now")
            && TIME_PACKAGES.contains(owner.substring(0, owner.lastIndexOf('/') + 1))
            && GIVEN_CLOCKS.stream().noneMatch(parameters::contains);
    return isNow ? NOW : null;
  }

  /** A call names the class that it knows, {@code ArrayList}, not the one that declares. */
  private static List<String> withSupertypes(String owner) {
    List<String> names = new ArrayList<>(List.of(owner));
    try {
      String name = owner.replace('/', '.');
      addSupertypes(Class.forName(name, false, ClassLoader.getPlatformClassLoader()), names);
    } catch (ClassNotFoundException ofAnotherJdk) {
      // Then its own name has to do.
    }
    return names;
  }

  private static void addSupertypes(Class<?> type, List<String> names) {
    List<Class<?>> above = new ArrayList<>(List.of(type.getInterfaces()));
    if (type.getSuperclass() != null) {
      above.add(type.getSuperclass());
    }
    for (Class<?> each : above) {
      names.add(each.getName().replace('.', '/'));
      addSupertypes(each, names);
    }
  }
}
