package dev.tempest.runtime.node;

import dev.tempest.DivergenceListener;
import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Replica;
import dev.tempest.runtime.LogLimit;
import dev.tempest.runtime.LogLines;
import dev.tempest.service.Reconciliation;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The replica of a service. Owned by the event loop. */
final class ServiceHolder implements Holder {
  private static final System.Logger LOGGER = LogLines.logger(ServiceHolder.class);

  private final String name;
  private final ServiceInstance service;
  private final List<DivergenceListener> listeners;
  private final LogLimit undeclared = new LogLimit();
  private final LogLimit deviations = new LogLimit();
  private @Nullable Replica replica;

  /** Calls {@code listeners} when the service turns out not to be deterministic. */
  ServiceHolder(String name, ServiceInstance service, List<DivergenceListener> listeners) {
    this.name = name;
    this.service = service;
    this.listeners = listeners;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public ServiceInstance instance() {
    return service;
  }

  @Override
  public void start(Function<ServiceInstance, Replica> construct) {
    replica = construct.apply(service);
  }

  @Override
  public List<Effect> step(Event event) {
    List<Effect> effects = replica == null ? List.of() : replica.step(event);
    logUndeclared(event.nowNanos());
    return effects;
  }

  /** A bug in a service may throw with every request. */
  private void logUndeclared(long nowNanos) {
    ServiceInstance.Thrown thrown = service.takeUndeclared();
    if (thrown != null && undeclared.admits(nowNanos)) {
      LOGGER.log(
          Level.WARNING,
          "%s of service %s threw an exception that its interface does not declare; none of its"
                  .formatted(thrown.method(), name)
              + " writes were kept. Declare it with throws if it is an outcome like any other. "
              + LogLimit.OTHERS,
          thrown.exception());
    }
  }

  @Override
  public @Nullable String takeComplaint() {
    return service.takeComplaint();
  }

  @Override
  public <T> T ask(Function<Replica, T> question, T absent) {
    return replica == null ? absent : question.apply(replica);
  }

  @Override
  public @Nullable Version shown() {
    return replica == null || !replica.isActive() ? null : replica.version();
  }

  @Override
  public long dueNanos() {
    return replica == null ? Long.MAX_VALUE : replica.nextTickNanos();
  }

  @Override
  public long publish() {
    return Long.MAX_VALUE;
  }

  @Override
  public long rest(long latestNanos) {
    return Math.min(latestNanos, dueNanos());
  }

  @Override
  public void diverged(Effect.Diverged diverged) {
    LOGGER.log(
        Level.WARNING,
        "Service {0} is not deterministic: the contents of {1} differ here and at {2} after the"
            + " same updates; this server takes the state of {2}. Take time and random numbers from"
            + " the action only, and nothing else from the process. If servers run two releases"
            + " now, a method has another effect in one of them: see docs/how-to/upgrades.md",
        name,
        String.join(", ", diverged.collections()),
        diverged.other());
    tell(diverged.collections());
  }

  /** It takes the state of another one: what it came to is not what was agreed on. */
  @Override
  public void outcomeDiffers(Effect.OutcomeDiffers differs, long nowNanos) {
    if (deviations.admits(nowNanos)) {
      LOGGER.log(
          Level.WARNING,
          "Method {1} of service {0} wrote or answered something else here than at {2}, which"
              + " leads; this server takes the state of {2}. If servers run two releases, the"
              + " method has another effect in one of them, if only as a record that it writes or"
              + " prints has another component or name: see docs/how-to/upgrades.md. If all run"
              + " the same, the service is not deterministic: take time and random numbers from"
              + " the action only, and nothing else from the process; or choose execute: leader. "
              + LogLimit.OTHERS,
          name,
          differs.method(),
          differs.leader());
    }
    tell(List.of()); // Nobody has compared the contents.
  }

  private void tell(List<String> collections) {
    for (DivergenceListener listener : listeners) {
      try {
        listener.diverged(name, collections);
      } catch (Throwable thrown) {
        LOGGER.log(Level.WARNING, "A listener threw; Tempest keeps calling it", thrown);
      }
    }
  }

  @Override
  public void reconciled(Reconciliation what, long nowMillis) {
    Throwable thrown =
        replica == null ? null : service.reconciled(replica.version(), what, nowMillis);
    if (thrown != null) {
      LOGGER.log(
          Level.WARNING,
          "Service " + name + " threw when told of a reconciliation; it keeps running",
          thrown);
    }
  }

  @Override
  public void close() {
    // Its last state can still be asked for.
  }
}
