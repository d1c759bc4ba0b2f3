package dev.tempest.runtime.node;

import dev.tempest.protocol.Effect;
import dev.tempest.protocol.Event;
import dev.tempest.protocol.order.Replica;
import dev.tempest.service.Reconciliation;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a replica lives: alone with the loop, or between the loop and the application's threads.
 */
interface Holder {
  /** Of the service, or of the collections. */
  String name();

  /** What the replica executes. */
  ServiceInstance instance();

  /** Constructs the replica; before, there is none. */
  void start(Function<ServiceInstance, Replica> construct);

  /** Lets the replica act; nothing before {@link #start}. */
  List<Effect> step(Event event);

  /** Asks the replica; {@code absent} before {@link #start}. */
  <T> T ask(Function<Replica, T> question, T absent);

  /** What reads see; null before there is state. */
  @Nullable Version shown();

  /** When the replica wants the next {@link Event.Tick}; {@link Long#MAX_VALUE} for never. */
  long dueNanos();

  /**
   * Shows those who read from other threads what the replica has come to.
   *
   * @return when to call it again, whatever happens until then; {@link Long#MAX_VALUE} if never
   */
  long publish();

  /**
   * The loop is going to rest: what is due before it would wake up wakes it.
   *
   * @param latestNanos when it wakes up at the latest
   * @return until when it may rest
   */
  long rest(long latestNanos);

  /** The next thing that people should look at and no caller is told; null if there is none. */
  @Nullable String takeComplaint();

  /** As many have a write as this process waits for. */
  default void acked(Effect.Acked acked) {
    throw foreign(acked);
  }

  /** What this process has done to linearizable collections counts, or does not. */
  default void decided(Effect.Decided decided) {
    throw foreign(decided);
  }

  /** The same updates have led to another state here than elsewhere. */
  default void diverged(Effect.Diverged diverged) {
    throw foreign(diverged);
  }

  /** A call that all execute came to something else here than at the leader. */
  default void outcomeDiffers(Effect.OutcomeDiffers differs, long nowNanos) {
    throw foreign(differs);
  }

  /** Gossip has changed the past, which may be somebody's matter. */
  default void reconciled(Reconciliation what, long nowMillis) {}

  /** The replica acts no more. */
  void close();

  private static IllegalStateException foreign(Object effect) {
    return new IllegalStateException("no replica that lives here wants that done: " + effect);
  }
}
