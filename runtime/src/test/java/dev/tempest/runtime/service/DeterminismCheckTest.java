package dev.tempest.runtime.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tempest.config.NodeConfig;
import dev.tempest.runtime.node.LocalNode;
import dev.tempest.service.Read;
import dev.tempest.service.Update;
import dev.tempest.state.State;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Small real classes, as the compiler makes them. */
final class DeterminismCheckTest {
  static class EveryCall {
    final List<Object> seen = new ArrayList<>();

    @SuppressWarnings("JavaUtilDate") // Services may use what is of bad repute.
    void clocks() {
      seen.add(System.currentTimeMillis());
      seen.add(System.nanoTime());
      seen.add(Instant.now());
      seen.add(LocalDate.now(ZoneOffset.UTC));
      seen.add(ZonedDateTime.now(ZoneOffset.UTC));
      seen.add(Clock.systemUTC());
      seen.add(new Date());
    }

    void randomNumbers() {
      seen.add(Math.random());
      seen.add(new Random());
      seen.add(new SplittableRandom());
      seen.add(ThreadLocalRandom.current());
      seen.add(UUID.randomUUID());
      seen.add(new SecureRandom());
      Collections.shuffle(seen);
    }
  }

  @Test
  void findsEveryCallAndSaysWhatToUseInItsPlace() {
    assertThat(certain(EveryCall.class))
        .containsExactly(
            "System.currentTimeMillis",
            "System.nanoTime",
            "Instant.now",
            "LocalDate.now",
            "ZonedDateTime.now",
            "Clock.systemUTC",
            "new Date",
            "Math.random",
            "new Random",
            "new SplittableRandom",
            "ThreadLocalRandom.current",
            "UUID.randomUUID",
            "new SecureRandom",
            "Collections.shuffle");
    assertThat(check(EveryCall.class).get(1).toString())
        .matches(
            "dev.tempest.runtime.service.DeterminismCheckTest.EveryCall.clocks"
                + " .DeterminismCheckTest.java:[0-9]+. calls System.currentTimeMillis:"
                + " take the request's time, state.action...now..");
  }

  static class Ends {
    void end() {
      System.exit(1);
      Runtime.getRuntime().exit(2);
      Runtime.getRuntime().halt(3);
    }
  }

  @Test
  void findsWhatEndsTheProcess() {
    assertThat(certain(Ends.class)).containsExactly("System.exit", "Runtime.exit", "Runtime.halt");
    assertThat(check(Ends.class).getFirst().toString())
        .endsWith(
            "calls System.exit: it ends every process that executes it, one after the other: throw"
                + " an exception");
  }

  static class OfTheMachine {
    final List<Object> seen = new ArrayList<>();

    void defaults() {
      seen.add(ZoneId.systemDefault());
      seen.add(TimeZone.getDefault());
      seen.add(Locale.getDefault());
      seen.add(System.identityHashCode(this));
    }
  }

  @Test
  void findsTheZoneTheLocaleAndTheMemoryOfAProcess() {
    assertThat(certain(OfTheMachine.class))
        .containsExactly(
            "ZoneId.systemDefault",
            "TimeZone.getDefault",
            "Locale.getDefault",
            "System.identityHashCode");
  }

  static class Cautious {
    final Set<String> two = Set.of("a", "b");
    final Set<String> one = Set.of("a");
    final Map<String, String> none = Map.of();

    @SuppressWarnings({"StringCaseLocaleUsage", "IdentityHashMapUsage"})
    String texts(List<String> names) {
      Map<Object, Object> byIdentity = new IdentityHashMap<>();
      String name = names.getFirst().toUpperCase() + names.getLast().toUpperCase(Locale.ROOT);
      Set<String> all = names.stream().collect(Collectors.toUnmodifiableSet());
      return String.format("%s %s %s", name, all, byIdentity) + String.format(Locale.ROOT, "a");
    }

    double interest(double rate, int years) {
      return Math.round(Math.pow(1 + rate, years)) + StrictMath.exp(rate) + Math.sqrt(rate);
    }
  }

  @Test
  void warnsOfOrdersLanguagesAndLastBits() {
    assertThat(certain(Cautious.class)).isEmpty();
    assertThat(called(Cautious.class))
        .containsExactlyInAnyOrder(
            "Set.of",
            "new IdentityHashMap",
            "String.toUpperCase",
            "Collectors.toUnmodifiableSet",
            "String.format",
            "Math.pow");
  }

  static class Remembers {
    static int calls;
    final Map<String, String> cache = new HashMap<>();
    final String name;
    int count;

    Remembers(String name) {
      this.name = name;
      this.count = 1;
    }

    @SuppressWarnings("StaticAssignmentOfThrowable")
    void call(Other other) {
      calls++;
      count++;
      other.count = 7;
    }
  }

  static final class Other {
    int count;
  }

  @Test
  void findsWhatAServiceKeepsBesideItsState() {
    assertThat(certain(Remembers.class))
        .containsExactly("the static field calls", "the field count");
    assertThat(check(Remembers.class))
        .filteredOn(each -> !each.isCertain())
        .extracting(Finding::what)
        .containsExactly("new HashMap in the field cache");
    assertThat(check(Remembers.class).toString())
        .contains("writes the field count: keep it in a collection of the state");
  }

  static class Deterministic {
    final State state;
    final List<Object> seen = new ArrayList<>();

    Deterministic(State state) {
      this.state = state;
    }

    @SuppressWarnings("JavaUtilDate")
    void seeded(Clock clock) {
      seen.add(state.action().now());
      seen.add(state.action().random().nextLong());
      seen.add(Instant.now(clock));
      seen.add(LocalDate.now(clock));
      seen.add(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
      seen.add(new Random(7));
      seen.add(new SplittableRandom(7));
      seen.add(new Date(7));
      seen.add(UUID.nameUUIDFromBytes(new byte[3]));
      Collections.shuffle(seen, new Random(7));
    }

    /** Runs in other processes than the servers. */
    public static void main(String[] args) {
      seedOf(args.length == 0 ? System::nanoTime : () -> 0);
    }

    static long seedOf(LongSupplier seeds) {
      return seeds.getAsLong();
    }
  }

  @Test
  void findsNothingWhereTimeAndSeedsAreGivenNorInStaticMethodsThatNobodyCalls() {
    assertThat(certain(Deterministic.class)).isEmpty();
  }

  static class Base {
    long inherited() {
      return System.nanoTime();
    }
  }

  interface Stamped {
    default long stamp() {
      return System.currentTimeMillis();
    }
  }

  static final class Made {
    final long made = System.nanoTime();
  }

  static final class Statics {
    static final UUID ID = UUID.randomUUID();

    private Statics() {}

    static long one() {
      return two();
    }

    static long two() {
      return System.currentTimeMillis();
    }

    static long notCalled() {
      return System.nanoTime();
    }
  }

  static final class Indirect extends Base implements Stamped {
    Object made() {
      return new Made();
    }

    long statics() {
      return Statics.one();
    }

    Object field() {
      return Statics.ID;
    }

    Supplier<Object> lambda() {
      return () -> Math.random();
    }

    Supplier<Object> reference() {
      return Instant::now;
    }

    Supplier<Object> constructor() {
      return Random::new;
    }
  }

  @Test
  void findsWhatTheClassReaches() {
    assertThat(check(Indirect.class))
        .extracting(call ->
            call.className().substring(call.className().lastIndexOf('$') + 1)
                + "."
                + call.method()
                + ": "
                + call.what())
        .containsExactlyInAnyOrder(
            "Base.inherited: System.nanoTime",
            "Stamped.stamp: System.currentTimeMillis",
            "Made.its constructor: System.nanoTime",
            "Statics.its static initializer: UUID.randomUUID",
            "Statics.two: System.currentTimeMillis",
            "Indirect.lambda: Math.random",
            "Indirect.reference: Instant.now",
            "Indirect.constructor: new Random");
  }

  @Test
  void leavesOutWhatIsUnchecked() {
    assertThat(
            DeterminismCheck.of(
                Indirect.class,
                List.of(Made.class.getName(), Statics.class.getName(), "dev.tempest.runtime.serv")))
        .extracting(Finding::className)
        .doesNotContain(Made.class.getName(), Statics.class.getName())
        .hasSize(5);
    assertThat(DeterminismCheck.of(Indirect.class, List.of("dev.tempest.runtime.service")))
        .isEmpty();
  }

  interface Clicks {
    @Update
    void click(String page);

    @Read
    long age(String page);

    @Read
    long uptime();
  }

  static final class ClickService implements Clicks {
    private final List<Long> ages = new ArrayList<>();

    @Override
    public void click(String page) {
      ages.add(age(page));
    }

    @Override
    public long age(String page) {
      return System.currentTimeMillis();
    }

    @Override
    public long uptime() {
      return System.nanoTime();
    }
  }

  /** A read changes no state, unless an update uses what it gives. */
  @Test
  void letsReadsTakeWhatTheyLike() {
    assertThat(certain(ClickService.class)).containsExactly("System.currentTimeMillis");
  }

  static final class UsesAnotherJar {
    Object use(NodeConfig config) {
      return LocalNode.start(config); // Draws random numbers.
    }
  }

  @Test
  void staysWithinTheJarOrFolderOfTheService() {
    assertThat(check(UsesAnotherJar.class)).isEmpty();
    assertThat(check(LocalNode.class)).isNotEmpty();
  }

  private static List<Finding> check(Class<?> service) {
    return DeterminismCheck.of(service, List.of());
  }

  private static List<String> certain(Class<?> service) {
    return check(service).stream().filter(Finding::isCertain).map(Finding::what).toList();
  }

  private static List<String> called(Class<?> service) {
    return check(service).stream().map(Finding::what).toList();
  }
}
