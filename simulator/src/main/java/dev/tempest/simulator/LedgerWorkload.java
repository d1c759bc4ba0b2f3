package dev.tempest.simulator;

import dev.tempest.service.execution.Result;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.service.execution.ServiceMethod;
import dev.tempest.state.State;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Clients that write into a ledger, mostly under the same few keys. */
final class LedgerWorkload implements Workload {
  private static final List<String> KEYS = List.of("a", "b", "c", "d", "e");
  private static final int READ_PERCENT = 20;

  private final ServiceInterface description = ServiceInterface.of(Ledger.class);
  private final Map<String, ServiceMethod> methods = new LinkedHashMap<>();
  private final Function<Long, Function<State, Ledger>> services;
  private final List<Checker> checkers;
  private final boolean executesAny;
  private final Witness witness = new Witness();
  private final Set<Long> spending = new LinkedHashSet<>();
  private long lastTag;

  LedgerWorkload() {
    this(replica -> LedgerService::new);
  }

  /** A ledger of which some replicas may run a faulty version. */
  LedgerWorkload(Function<Long, Function<State, Ledger>> services) {
    this(services, Checker.all());
  }

  /** The same, judged by something else than usual. */
  LedgerWorkload(Function<Long, Function<State, Ledger>> services, List<Checker> checkers) {
    this(services, checkers, false);
  }

  /** The same, of which one replica executes each update, any, if asked for. */
  LedgerWorkload(
      Function<Long, Function<State, Ledger>> services,
      List<Checker> checkers,
      boolean executesAny) {
    this.services = services;
    this.checkers = checkers;
    this.executesAny = executesAny;
    description.methods().forEach(method -> methods.put(method.name(), method));
  }

  @Override
  public boolean executesAny() {
    return executesAny;
  }

  @Override
  public List<Checker> checkers() {
    return checkers;
  }

  @Override
  public ServiceInstance instance(long replica) {
    Function<State, Ledger> service = services.apply(replica);
    return ServiceInstance.of(Ledger.class, state -> witness.watch(service.apply(state)));
  }

  @Override
  public ServiceInstance older(long replica) {
    Function<State, ? extends OlderLedger> service =
        executesAny ? services.apply(replica) : OlderLedgerService::new;
    return ServiceInstance.of(OlderLedger.class, state -> witness.watch(service.apply(state)));
  }

  @Override
  public boolean isLackingInOlder(Call call) {
    return ServiceInterface.of(OlderLedger.class).method(call.method()) == null;
  }

  @Override
  public ServiceInstance reference() {
    return ServiceInstance.of(Ledger.class, LedgerService::new);
  }

  @Override
  public Invocation next(Randomness random) {
    String key = random.pick(KEYS);
    if (random.chance(READ_PERCENT)) {
      return lastTag > 0 && random.chance(70)
          ? read("executions", random.between(1, lastTag))
          : read("sum", key);
    }
    return switch (random.below(14)) {
      case 0, 1, 2, 3 -> update("append", key);
      case 4 -> update("move", key, random.pick(KEYS));
      case 5, 6 -> update("add", key, (long) random.between(1, 5));
      case 7, 8 -> update("spend", key);
      case 9, 10 -> update("line", random.below(1_000));
      case 11, 12 -> update("vote", key, (long) random.between(1, 5));
      default -> update("toggle", key);
    };
  }

  @Override
  public Invocation probe() {
    return update("append", "probe");
  }

  /** An update with a tag of its own, which comes after the arguments. */
  Invocation update(String method, Object... arguments) {
    long tag = ++lastTag;
    if (method.equals("spend")) {
      spending.add(tag);
    }
    List<Object> all = new ArrayList<>(Arrays.asList(arguments));
    all.add(tag);
    return new Invocation(tag, true, call(method, all.toArray()));
  }

  Invocation read(String method, Object... arguments) {
    return new Invocation(0, false, call(method, arguments));
  }

  private Call call(String method, Object... arguments) {
    ServiceMethod called = method(method);
    return new Call(called.number(), called.encode(arguments));
  }

  private ServiceMethod method(String name) {
    ServiceMethod method = methods.get(name);
    if (method == null) {
      throw new IllegalArgumentException("a ledger has no method " + name);
    }
    return method;
  }

  @Override
  public Invocation look(long tag) {
    return new Invocation(tag, false, call("executions", tag));
  }

  @Override
  public long latestTag() {
    return lastTag;
  }

  @Override
  public boolean saw(Bytes result) {
    return method("executions").decodeResult(result) instanceof Long times && times > 0;
  }

  @Override
  public boolean isLasting(long tag) {
    return !spending.contains(tag); // It throws if something late leaves too little to spend.
  }

  @Override
  public Mark mark(ServiceInstance instance, Version version, long tag) {
    return new Mark(
        ask(instance, version, "executions", tag), ask(instance, version, "position", tag));
  }

  @Override
  public long order(ServiceInstance instance, Version version) {
    return ask(instance, version, "order");
  }

  /** Asks a version for a number. */
  long ask(ServiceInstance instance, Version version, String method, Object... arguments) {
    Call call = call(method, arguments);
    Result result = instance.read(version, call.method(), call.arguments(), 0);
    if (result instanceof Result.Returned(var bytes)
        && method(method).decodeResult(bytes) instanceof Long value) {
      return value;
    }
    throw new IllegalStateException(method + " gave " + result);
  }

  @Override
  public String describe(Call call) {
    ServiceMethod method = description.method(call.method());
    return method == null
        ? "method " + call.method()
        : Arrays.stream(method.decode(call.arguments()))
            .map(String::valueOf)
            .collect(Collectors.joining(", ", method.name() + "(", ")"));
  }

  @Override
  public boolean isPlausible(Call call, Answer answer) {
    ServiceMethod method = description.method(call.method());
    if (method == null) {
      return true;
    }
    return switch (answer) {
      case Answer.Returned(Bytes result) ->
          method.isUpdate() ? hasReturned(method, call, result) : mayShow(method, result);
      case Answer.Threw(String className, String message) ->
          method.isUpdate() && witness.threw(tagOf(method, call)).contains(message);
      case Answer.Refused refused -> true;
    };
  }

  private boolean hasReturned(ServiceMethod method, Call call, Bytes result) {
    return witness.returned(tagOf(method, call)).stream()
        .map(method::encodeResult)
        .anyMatch(result::equals);
  }

  /** Whether a state may show this: no update more than once. */
  private static boolean mayShow(ServiceMethod read, Bytes result) {
    return !read.name().equals("executions")
        || (read.decodeResult(result) instanceof Long times && times <= 1);
  }

  private static long tagOf(ServiceMethod method, Call call) {
    @Nullable Object[] arguments = method.decode(call.arguments());
    return (long) Objects.requireNonNull(arguments[arguments.length - 1]);
  }
}
