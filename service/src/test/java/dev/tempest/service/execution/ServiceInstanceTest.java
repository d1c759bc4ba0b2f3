package dev.tempest.service.execution;

import static dev.tempest.service.execution.ServiceInterfaceTest.method;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tempest.service.Reconciliation;
import dev.tempest.service.ReconciliationAware;
import dev.tempest.service.Update;
import dev.tempest.state.Counter;
import dev.tempest.state.ReadOnlyException;
import dev.tempest.state.State;
import dev.tempest.state.versioned.Assembly;
import dev.tempest.state.versioned.Footprint;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.TooLargeException;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ServiceInstanceTest {
  private static final long NOW_MILLIS = 1_795_000_000_000L;
  private static final long SEED = 17;

  private final ServiceInstance service = ServiceInstance.of(Cart.class, Cart.CartService::new);
  private final Version empty = service.emptyVersion();

  /** Does not implement a service. */
  public static final class Plain {}

  /** Implements two. */
  public static final class Both implements Cart.Echo, Cart.Shout {
    @Override
    public String echo(String text) {
      return text;
    }

    @Override
    public String shout(String text) {
      return text;
    }
  }

  /** Implements two as one, without state. */
  public static final class Joined implements Cart.Voice {
    @Override
    public String echo(String text) {
      return text;
    }

    @Override
    public String shout(String text) {
      return text + "!";
    }
  }

  /** Cannot be constructed by name. */
  public static final class Hidden implements Cart.Echo {
    private Hidden() {}

    @Override
    public String echo(String text) {
      return text;
    }
  }

  /** Fails at once. */
  public static final class Failing implements Cart.Echo {
    /** Throws. */
    public Failing() {
      throw new IllegalStateException("no licence");
    }

    @Override
    public String echo(String text) {
      return text;
    }
  }

  /** Declares state when it is asked. */
  public static final class Late implements Cart.Echo {
    private final State state;

    /** Keeps the state for later. */
    public Late(State state) {
      this.state = state;
    }

    @Override
    public String echo(String text) {
      state.map(text, String.class, String.class);
      return text;
    }
  }

  /** Wants to be told, reads, and tries to write. */
  private static final class Curious implements Cart.Echo, ReconciliationAware {
    private final Map<String, Integer> notes;
    private int told;

    Curious(State state) {
      notes = state.map("notes", String.class, Integer.class);
    }

    @Override
    public String echo(String text) {
      return text;
    }

    @Override
    public void reconciled(Reconciliation what) {
      told += notes.size() + (int) what.inserted().count();
      if (what.withdrawn().count() > 0) {
        notes.put("told", 1);
      }
    }
  }

  @Test
  void aServiceIsToldOfReconciliationsAndCannotWriteThen() {
    Curious[] made = new Curious[1];
    ServiceInstance curious =
        ServiceInstance.of(Cart.Echo.class, state -> made[0] = new Curious(state));
    var none = new Reconciliation.Updates(0, List.of());
    var one = new Reconciliation.Updates(1, List.of(new Reconciliation.Id(7, 1)));
    Version version = curious.emptyVersion();
    assertThat(curious.reconciled(version, new Reconciliation(one, none, List.of()), NOW_MILLIS))
        .isNull();
    assertThat(made[0].told).isEqualTo(1);
    assertThat(curious.reconciled(version, new Reconciliation(none, one, List.of()), NOW_MILLIS))
        .isInstanceOf(ReadOnlyException.class);
    assertThat(service.reconciled(empty, new Reconciliation(one, one, List.of()), NOW_MILLIS))
        .isNull();
  }

  @Test
  void updatesMakeVersionsAndLeaveTheEarlierOnesAlone() {
    Execution first = update(empty, method("add", String.class), "tea");
    Execution second = update(first.after(), method("add", String.class, int.class), "tea", 4);
    Execution third =
        update(second.after(), method("add", Cart.Line.class), new Cart.Line("cake", 2));

    assertThat(result(method("add", String.class), first.result())).isEqualTo(1);
    assertThat(result(method("add", String.class, int.class), second.result())).isEqualTo(5);
    assertThat(third.result()).isEqualTo(new Result.Returned(Bytes.EMPTY));
    assertThat(check(empty, "tea")).isNull();
    assertThat(check(first.after(), "tea")).isEqualTo(1);
    assertThat(check(third.after(), "tea")).isEqualTo(5);
    assertThat(service.contents(third.after()))
        .isEqualTo(Map.of("items", Map.of("tea", 5, "cake", 2), "updates", 3L));
  }

  @Test
  void anUpdateThatThrowsLeavesNothing() {
    Execution execution = update(empty, method("fail", String.class), "no tea");

    assertThat(execution.after()).isSameAs(empty);
    assertThat(execution.result())
        .isEqualTo(new Result.Threw("java.lang.IllegalArgumentException", "no tea"));
    assertThat(check(execution.after(), "ghost")).isNull();
  }

  /** Needs a class that is not there. */
  interface HalfDeployed {
    /** Adds, and fails. */
    @Update
    void work();
  }

  @Test
  void aClassThatIsMissingIsTheOutcomeOfWhoNeedsIt() {
    ServiceInstance halfDeployed =
        ServiceInstance.of(
            HalfDeployed.class,
            state -> {
              Counter counter = state.counter("counter");
              return () -> {
                counter.increment();
                throw new NoClassDefFoundError("com/example/Missing");
              };
            });
    ServiceMethod work = halfDeployed.description().methods().getFirst();
    Version before = halfDeployed.emptyVersion();

    Execution execution =
        halfDeployed.update(before, work.number(), work.encode(new Object[0]), NOW_MILLIS, SEED);
    assertThat(execution.after()).isSameAs(before);
    assertThat(execution.result())
        .isEqualTo(new Result.Threw("java.lang.NoClassDefFoundError", "com/example/Missing"));
  }

  @Test
  void aStackOverflowIsTheServicesAndLeavesNothing() {
    Execution execution = update(empty, method("overflow", int.class), 0);

    assertThat(execution.after()).isSameAs(empty);
    assertThat(execution.result()).isEqualTo(new Result.Threw("java.lang.StackOverflowError", ""));
    assertThat(check(update(empty, method("add", String.class), "tea").after(), "tea"))
        .isEqualTo(1);
  }

  @Test
  void aMethodThatEndsItsActionHasThrownAndLeavesNothing() {
    for (String ends : List.of("abort", "commit")) {
      Execution execution = update(empty, method(ends));
      assertThat(execution.after()).isSameAs(empty);
      assertThat(execution.result())
          .isEqualTo(
              new Result.Threw(
                  "java.lang.IllegalStateException",
                  "this action has committed or aborted already"));
      assertThat(execution.footprint().applyTo(empty)).isSameAs(empty);
    }
    assertThat(check(update(empty, method("add", String.class), "tea").after(), "tea"))
        .isEqualTo(1);
  }

  @Test
  void anyErrorIsTheServicesAndLeavesNothing() {
    Execution execution = update(empty, method("breakDown"));
    assertThat(execution.after()).isSameAs(empty);
    assertThat(execution.result())
        .isInstanceOfSatisfying(
            Result.Threw.class,
            threw -> assertThat(threw.className()).isEqualTo("java.lang.InternalError"));
    assertThat(check(update(empty, method("add", String.class), "tea").after(), "tea"))
        .isEqualTo(1);
  }

  @Test
  void aResultThatIsTooLargeLeavesNothing() {
    ServiceMethod produce = method("produce", int.class);
    Execution fits = update(empty, produce, 100_000);
    assertThat(result(produce, fits.result())).isEqualTo(new byte[100_000]);

    Execution tooLarge = update(empty, produce, ServiceMethod.CONTENT_MAX_BYTES);
    assertThat(tooLarge.after()).isSameAs(empty);
    assertThat(tooLarge.result())
        .isEqualTo(
            new Result.Threw(
                TooLargeException.class.getName(),
                "the result of Cart.produce(int): larger than the limit of 16777216 bytes. Divide"
                    + " it into several calls"));
  }

  @Test
  void whatAnExecutionWroteGivesTheSameWhereItIsApplied() {
    ByteWriter writes = new ByteWriter(1_000);
    Execution execution = execute(writes, method("add", String.class), "tea");
    assertThat(result(method("add", String.class), execution.result())).isEqualTo(1);
    Execution applied = service.apply(empty, writes.toBytes());
    assertThat(applied.after()).isEqualTo(execution.after()).isNotEqualTo(empty);
  }

  @Test
  void anExecutionThatThrowsOrWritesTooMuchLeavesNothingToApply() {
    ByteWriter writes = new ByteWriter(1_000);
    Execution failed = execute(writes, method("fail", String.class), "no tea");
    assertThat(failed.result()).isInstanceOf(Result.Threw.class);
    assertThat(failed.after()).isSameAs(empty);
    assertThat(writes.size()).isZero();

    Execution tooLarge = execute(writes, method("add", String.class), "x".repeat(2_000));
    assertThat(tooLarge.result())
        .isEqualTo(
            new Result.Threw(
                TooLargeException.class.getName(),
                "a change of map 'items', counter 'updates': larger than the limit of 1000 bytes."
                    + " Write less in one batch or update, and store what is large in several"
                    + " writes"));
    assertThat(tooLarge.after()).isSameAs(empty);
    assertThat(writes.size()).isZero();
    assertThat(service.apply(empty, writes.toBytes()).after()).isSameAs(empty);
  }

  @Test
  void aReadThatWritesSaysSoAndWritesNothing() {
    assertThat(read(empty, method("cheat")))
        .isEqualTo(
            new Result.Threw(
                ReadOnlyException.class.getName(),
                "Cart.cheat() is marked @Read and writes: mark it @Update"));
    assertThat(check(empty, "ghost")).isNull();
  }

  @Test
  void anExceptionWhoseMessageThrowsIsDescribedAllTheSame() {
    assertThat(read(empty, method("failSpeechlessly")))
        .isInstanceOfSatisfying(
            Result.Threw.class,
            threw -> {
              assertThat(threw.className()).contains("CartService");
              assertThat(threw.message()).contains("message");
            });
  }

  @Test
  void anExceptionIsKnownByItsClassOrByTheDeclaredOneAboveIt() {
    ServiceMethod order = method("order", String.class);
    assertThat(update(empty, order, "much").result())
        .isEqualTo(new Result.Threw(Cart.SoldOut.class.getName(), "much"));
    assertThat(update(empty, order, "soon").result())
        .isEqualTo(
            new Result.Threw(
                Cart.SoldOut.class.getName(), Cart.SoldOutForNow.class.getName() + ": soon"));
    assertThat(service.takeUndeclared()).isNull();

    assertThat(update(empty, order, "bug").result())
        .isEqualTo(new Result.Threw("java.lang.IllegalStateException", ""));
    assertThat(service.takeUndeclared())
        .isInstanceOfSatisfying(
            ServiceInstance.Thrown.class,
            first -> {
              assertThat(first.method()).isSameAs(order);
              assertThat(first.exception())
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessage(null);
            });
    assertThat(service.takeUndeclared()).isNull();
  }

  @Test
  void longMessagesAreCut() {
    Execution execution = update(empty, method("fail", String.class), "x".repeat(100_000));
    assertThat(execution.result())
        .isInstanceOfSatisfying(
            Result.Threw.class,
            threw -> assertThat(threw.message()).hasSize(1_000).endsWith("x..."));
  }

  @Test
  void unknownMethodsAndThoseOfTheOtherKindAreNotRun() {
    int add = method("add", String.class).number();
    int check = method("check", String.class).number();
    Bytes tea = method("check", String.class).encode(new Object[] {"tea"});

    assertThat(service.update(empty, 42, tea, NOW_MILLIS, SEED))
        .isEqualTo(
            new Execution(
                empty,
                new Result.UnknownMethod(
                    "Cart has no method with the number 0000002a: do the caller and the service use"
                        + " the same interface?"),
                Footprint.NONE));
    assertThat(service.update(empty, check, tea, NOW_MILLIS, SEED).result())
        .isEqualTo(
            new Result.UnknownMethod(
                "Cart.check(String) is not an update: do the caller and the service use the same"
                    + " interface?"));
    assertThat(service.read(empty, add, tea, NOW_MILLIS))
        .isEqualTo(
            new Result.UnknownMethod(
                "Cart.add(String) is not a read: do the caller and the service use the same"
                    + " interface?"));
  }

  @Test
  void argumentsThatDoNotDecodeAreNotRun() {
    int add = method("add", String.class, int.class).number();
    Bytes one = method("add", String.class).encode(new Object[] {"tea"});

    Execution execution = service.update(empty, add, one, NOW_MILLIS, SEED);
    assertThat(execution.after()).isSameAs(empty);
    assertThat(execution.result())
        .isInstanceOfSatisfying(
            Result.BadArguments.class,
            bad -> assertThat(bad.detail()).startsWith("Cart.add(String, int): "));
    assertThat(service.read(empty, method("nowMillis").number(), one, NOW_MILLIS))
        .isInstanceOf(Result.BadArguments.class);
  }

  @Test
  void timeAndChanceAreThoseOfTheRequest() {
    ServiceMethod draw = method("draw");
    ServiceInstance replica = ServiceInstance.of(Cart.class, Cart.CartService::new);
    Execution here = service.update(empty, draw.number(), Bytes.EMPTY, NOW_MILLIS, SEED);
    Execution there =
        replica.update(replica.emptyVersion(), draw.number(), Bytes.EMPTY, NOW_MILLIS, SEED);

    assertThat(here.result()).isEqualTo(there.result());
    assertThat((String) result(draw, here.result())).startsWith("2026-11-18T11:06:40Z ");
    assertThat(service.update(empty, draw.number(), Bytes.EMPTY, NOW_MILLIS, SEED + 1).result())
        .isNotEqualTo(here.result());
    assertThat(result(method("nowMillis"), read(empty, method("nowMillis")))).isEqualTo(NOW_MILLIS);
  }

  @Test
  void versionsTravelToAnotherInstance() {
    Version version = update(empty, method("add", String.class), "tea").after();
    ServiceInstance other = ServiceInstance.of(Cart.CartService.class);
    Assembly assembly = other.assembly(other.emptyVersion(), 1_000);

    assertThat(assembly.take(service.piece(version, assembly.wish(), 1_000))).isTrue();
    assertThat(assembly.isComplete()).isTrue();
    assertThat(other.contents(assembly.version())).isEqualTo(service.contents(version));
  }

  @Test
  void aServiceIsMadeFromItsClassAlone() {
    assertThat(ServiceInstance.of(Cart.CartService.class).description().type())
        .isSameAs(Cart.class);
    ServiceInstance joined = ServiceInstance.of(Joined.class);
    assertThat(joined.description().type()).isSameAs(Cart.Voice.class);
    assertThat(joined.description().methods()).hasSize(2);
  }

  @Test
  void aClassThatIsNoServiceIsRefused() {
    refuses(Plain.class, "Plain implements 0 interfaces with methods marked");
    refuses(Both.class, "Both implements 2 interfaces with methods marked");
    refuses(Cart.class, "Cart is abstract");
    refuses(Hidden.class, "Hidden has no public constructor with a State or without parameters");
    refuses(Failing.class, "Failing threw java.lang.IllegalStateException: no licence");
  }

  @Test
  void stateIsDeclaredInTheConstructorOrNotAtAll() {
    ServiceInstance late = ServiceInstance.of(Late.class);
    ServiceMethod echo = late.description().methods().get(0);
    assertThat(
            late.read(
                late.emptyVersion(),
                echo.number(),
                echo.encode(new Object[] {"later"}),
                NOW_MILLIS))
        .isInstanceOfSatisfying(
            Result.Threw.class,
            threw -> assertThat(threw.message()).contains("'later' is declared too late"));
  }

  private Execution update(Version before, ServiceMethod method, @Nullable Object... arguments) {
    return service.update(before, method.number(), method.encode(arguments), NOW_MILLIS, SEED);
  }

  private Execution execute(
      ByteWriter writes, ServiceMethod method, @Nullable Object... arguments) {
    return service.execute(
        empty, method.number(), method.encode(arguments), NOW_MILLIS, SEED, writes);
  }

  private Result read(Version version, ServiceMethod method, @Nullable Object... arguments) {
    return service.read(version, method.number(), method.encode(arguments), NOW_MILLIS);
  }

  private @Nullable Object check(Version version, String item) {
    ServiceMethod check = method("check", String.class);
    return result(check, read(version, check, item));
  }

  private static @Nullable Object result(ServiceMethod method, Result result) {
    assertThat(result).isInstanceOf(Result.Returned.class);
    return method.decodeResult(((Result.Returned) result).value());
  }

  private static void refuses(Class<?> implementation, String message) {
    assertThatThrownBy(() -> ServiceInstance.of(implementation))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
