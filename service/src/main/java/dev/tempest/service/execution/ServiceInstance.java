package dev.tempest.service.execution;

import dev.tempest.service.Reconciliation;
import dev.tempest.service.ReconciliationAware;
import dev.tempest.state.State;
import dev.tempest.state.versioned.Assembly;
import dev.tempest.state.versioned.Change;
import dev.tempest.state.versioned.Footprint;
import dev.tempest.state.versioned.SlowCode;
import dev.tempest.state.versioned.StateHashes;
import dev.tempest.state.versioned.UnreadableStateException;
import dev.tempest.state.versioned.Version;
import dev.tempest.state.versioned.VersionedAction;
import dev.tempest.state.versioned.VersionedState;
import dev.tempest.values.encoding.ByteReader;
import dev.tempest.values.encoding.ByteWriter;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One plain service class made executable over versions of its state.
 *
 * <p>Deterministic if the class is. Thread-safe: each execution has an action of its own, and
 * several can be under way at the same time, each in the thread that calls. Whether they ever are
 * depends on the order; a service class that keeps all that it writes in its state need not care.
 * Whatever a service method throws is a result, an {@link Error} like any exception.
 */
public final class ServiceInstance {
  /** The result of every change: there are many. */
  private static final Result APPLIED = new Result.Returned(Bytes.EMPTY);

  private final ServiceInterface description;
  private final VersionedState state;
  private final Class<?> implementation;
  private final @Nullable ReconciliationAware aware;

  private final Methods methods;
  private final Transactions transactions;

  private ServiceInstance(ServiceInterface description, VersionedState state, Object service) {
    this.description = description;
    this.state = state;
    this.implementation = service.getClass();
    this.aware = service instanceof ReconciliationAware wants ? wants : null;
    this.methods = new Methods(description, service, state.slow());
    this.transactions = new Transactions(description, state, methods);
  }

  /**
   * Makes the service that {@code factory} constructs over its state executable through {@code
   * api}.
   *
   * @throws IllegalArgumentException if {@code api} is no service interface, see {@link
   *     ServiceInterface#of}
   * @throws dev.tempest.values.UnsupportedTypeException as there
   */
  public static <S> ServiceInstance of(Class<S> api, Function<State, ? extends S> factory) {
    return construct(ServiceInterface.of(api), factory);
  }

  /**
   * Makes a service class executable: it implements one service interface, and has a public
   * constructor that takes a {@link State}, or nothing.
   *
   * @throws IllegalArgumentException if it does not, or its constructor throws
   * @throws dev.tempest.values.UnsupportedTypeException as in {@link ServiceInterface#of}
   */
  public static ServiceInstance of(Class<?> implementation) {
    ServiceClass service = ServiceClass.of(implementation);
    return construct(ServiceInterface.of(service.api()), service::construct);
  }

  /** A service without methods: its state is changed from outside, elsewhere by {@link #apply}. */
  public static ServiceInstance ofState(VersionedState state) {
    return new ServiceInstance(ServiceInterface.NONE, state, state);
  }

  /**
   * An exception that nobody declared: somebody should look at it.
   *
   * @param method that threw it
   */
  public record Thrown(ServiceMethod method, Throwable exception) {}

  /** What the service can be asked. */
  public ServiceInterface description() {
    return description;
  }

  /** What a method of that number is called, for people. */
  public String nameOf(int method) {
    return method == Transaction.COMMIT
        ? "a transaction"
        : String.valueOf(description.method(method));
  }

  /** Whether there is anything that it can be asked. */
  public boolean isAsked() {
    return !description.methods().isEmpty();
  }

  /** The class that implements the service. */
  public Class<?> implementation() {
    return implementation;
  }

  /** Whether a method of that number is an update that is declared to commute with every other. */
  public boolean isCommutative(int method) {
    int index = description.indexOf(method);
    return index >= 0 && description.methods().get(index).isCommutative();
  }

  /**
   * The first exception that a method threw and does not declare since this was called last; null
   * if there was none. Of several at once one is enough.
   */
  public @Nullable Thrown takeUndeclared() {
    return methods.takeUndeclared();
  }

  /** {@link VersionedState#takeComplaint}. */
  public @Nullable String takeComplaint() {
    return state.takeComplaint();
  }

  /** From now on {@link #takeComplaint} names code of users, too, that takes long. */
  public void watch(LongSupplier nanoClock, SlowCode.Listener told) {
    state.slow().watch(nanoClock, told);
  }

  /** Says which method was called and has not returned, to any thread. Keeps no state alive. */
  public SlowCode slow() {
    return state.slow();
  }

  /** The version in which every collection is empty. */
  public Version emptyVersion() {
    return state.emptyVersion();
  }

  /**
   * Executes an update.
   *
   * @param nowMillis the time that the method sees, milliseconds since 1970
   * @param seed of the randomness that the method sees
   */
  public Execution update(Version before, int method, Bytes arguments, long nowMillis, long seed) {
    return update(before, method, arguments, nowMillis, seed, null);
  }

  /**
   * Executes an update whose writes travel, so that others can {@link #apply} them.
   *
   * @param nowMillis the time that the action has, milliseconds since 1970
   * @param seed of the randomness that the action has
   * @param writes afterwards holds what was written and nothing else: nothing at all if the method
   *     threw, as it does if it writes more than this takes
   */
  public Execution execute(
      Version before, int method, Bytes arguments, long nowMillis, long seed, ByteWriter writes) {
    writes.reset();
    return update(before, method, arguments, nowMillis, seed, writes);
  }

  private Execution update(
      Version before,
      int method,
      Bytes arguments,
      long nowMillis,
      long seed,
      @Nullable ByteWriter writes) {
    if (method == Transaction.COMMIT && isAsked()) {
      return transactions.commit(before, arguments, nowMillis, writes);
    }
    int index = description.indexOf(method);
    if (index < 0 || !description.methods().get(index).isUpdate()) {
      return new Execution(before, methods.unknown(method, "an update"), Footprint.NONE);
    }
    Methods.Prepared call;
    try {
      call = methods.prepare(index, arguments);
    } catch (MalformedException malformed) {
      return new Execution(before, methods.malformed(index, malformed), Footprint.NONE);
    }
    VersionedAction action = state.beginTraced(before, nowMillis, seed);
    return ended(action, methods.run(call), description.methods().get(index), writes);
  }

  /**
   * Ends an action.
   *
   * @param result what its code came to; it commits if that has returned
   * @param method to blame if what it wrote cannot travel
   */
  private Execution ended(
      VersionedAction action, Result result, ServiceMethod method, @Nullable ByteWriter writes) {
    Result outcome = result;
    if (outcome instanceof Result.Returned) {
      try {
        if (writes != null) {
          state.writeChange(action.change(), writes);
        }
        Version after = action.commit();
        return new Execution(after, outcome, action.footprint(), action.writtenBytes());
      } catch (Exception | Error thrown) {
        outcome = methods.failed(method, thrown);
      }
    }
    action.abort();
    if (writes != null) {
      writes.reset();
    }
    boolean ran = outcome instanceof Result.Threw;
    return new Execution(action.before(), outcome, ran ? action.footprint() : Footprint.NONE);
  }

  /**
   * Executes a read on a version.
   *
   * @param nowMillis the time that the method sees, milliseconds since 1970
   */
  public Result read(Version version, int method, Bytes arguments, long nowMillis) {
    if ((method == Transaction.ASK || method == Transaction.ASK_NEAR) && isAsked()) {
      return transactions.ask(version, arguments, nowMillis);
    }
    int index = description.indexOf(method);
    if (index < 0 || description.methods().get(index).isUpdate()) {
      return methods.unknown(method, "a read");
    }
    Methods.Prepared call;
    try {
      call = methods.prepare(index, arguments);
    } catch (MalformedException malformed) {
      return methods.malformed(index, malformed);
    }
    VersionedAction action = state.beginReadOnly(version, nowMillis);
    try {
      return methods.run(call);
    } finally {
      action.abort();
    }
  }

  /**
   * Applies what an execution elsewhere wrote. Whoever needs its footprint asks for it apart.
   *
   * @param change as {@link VersionedState#writeChange} gives it; nothing, where nothing was
   *     written
   */
  public Execution apply(Version before, Bytes change) {
    if (change.size() == 0) {
      return new Execution(before, APPLIED, Footprint.NONE);
    }
    try {
      Change read = readChange(change);
      return new Execution(read.applyTo(before), APPLIED, Footprint.EVERYTHING);
    } catch (MalformedException malformed) {
      String why = Methods.shortened("no change: " + malformed.getMessage());
      return new Execution(before, new Result.BadArguments(why), Footprint.NONE);
    } catch (UnreadableStateException unreadable) {
      String why = Methods.shortened(String.valueOf(unreadable.getMessage()));
      return new Execution(before, new Result.Unreadable(why), Footprint.NONE);
    }
  }

  /**
   * Tells the service how its past has changed, if it wants to know; nothing changes by it.
   *
   * @param version the state that it sees
   * @param nowMillis the time that it sees, milliseconds since 1970
   * @return what it threw; null if it returned
   */
  public @Nullable Throwable reconciled(Version version, Reconciliation what, long nowMillis) {
    if (aware == null) {
      return null;
    }
    VersionedAction action = state.beginReadOnly(version, nowMillis);
    long beganNanos = state.slow().calls("reconciled");
    try {
      aware.reconciled(what);
      return null;
    } catch (Exception | Error thrown) {
      return thrown;
    } finally {
      state.slow().called("reconciled", beganNanos);
      action.abort();
    }
  }

  /** The footprint of a change, without its application; null if it cannot be read here. */
  public @Nullable Footprint footprint(Bytes change) {
    if (change.size() == 0) {
      return Footprint.NONE;
    }
    Change read = readable(change);
    return read == null ? null : read.footprint();
  }

  private Change readChange(Bytes change) {
    ByteReader reader = change.reader();
    Change read = state.readChange(reader);
    reader.expectEnd();
    return read;
  }

  /** {@link VersionedState#expire}. */
  public Version expire(Version version, long throughMillis) {
    return state.expire(version, throughMillis);
  }

  /** {@link VersionedState#hashes}. */
  public StateHashes hashes() {
    return state.hashes();
  }

  /** {@link VersionedState#upgrade}. */
  public Version upgrade(Version version) {
    return state.upgrade(version);
  }

  /**
   * What one version has and another lacks, as changes; none if there is nothing, see {@link
   * VersionedState#lacking}.
   *
   * @param enoughBytes beyond it a change ends and the next begins
   */
  public List<Bytes> lacking(Version theirs, Version ours, int enoughBytes) {
    return state.lacking(theirs, ours, enoughBytes);
  }

  /** {@link VersionedState#hasAddends}. */
  public boolean hasAddends(Bytes change) {
    Change read = change.size() == 0 ? null : readable(change);
    return read != null && state.hasAddends(read);
  }

  /** {@link VersionedState#addends}. */
  public Bytes addends(Bytes change, Version into) {
    Change read = change.size() == 0 ? null : readable(change);
    if (read == null) {
      return Bytes.EMPTY;
    }
    ByteWriter writer = new ByteWriter(Integer.MAX_VALUE);
    state.writeChange(state.addends(read, into), writer);
    return writer.toBytes();
  }

  /** Null for what cannot be read, and so is not applied here. */
  private @Nullable Change readable(Bytes change) {
    try {
      return readChange(change);
    } catch (MalformedException | UnreadableStateException unreadable) {
      return null;
    }
  }

  /** {@link VersionedState#assembly}. */
  public Assembly assembly(Version own, int enoughBytes) {
    return state.assembly(own, enoughBytes);
  }

  /** {@link VersionedState#piece}. */
  public Bytes piece(Version version, Bytes wish, int enoughBytes) {
    return state.piece(version, wish, enoughBytes);
  }

  /**
   * For tools: the collections of a version by name, each a read-only {@link Map}, {@link
   * java.util.Set} or a {@link Long}. From any thread.
   */
  public Map<String, Object> contents(Version version) {
    return state.contents(version);
  }

  private static <S> ServiceInstance construct(
      ServiceInterface description, Function<State, ? extends S> factory) {
    VersionedState state = new VersionedState();
    S service = Objects.requireNonNull(factory.apply(state), "the factory made no service");
    return new ServiceInstance(description, state, service);
  }
}
