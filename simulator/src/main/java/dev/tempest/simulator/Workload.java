package dev.tempest.simulator;

import dev.tempest.protocol.Event;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Version;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.wire.Answer;
import dev.tempest.wire.Call;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The service of a world, and what its clients ask of it. */
interface Workload {
  /**
   * What the state says of one update.
   *
   * @param executions how many times it took effect
   * @param position how many updates had taken effect by then, itself included; 0 if it did not
   */
  record Mark(long executions, long position) {}

  /**
   * One write of a process.
   *
   * @param tag a number that only this write has
   */
  record Written(long tag, Event.Written event) {}

  /** Whether processes write by themselves, and are told who is there; they are asked nothing. */
  default boolean writes() {
    return false;
  }

  /** Whether one replica executes an update, any, and the others apply what it wrote. */
  default boolean executesAny() {
    return false;
  }

  /** Who judges a run. */
  default List<Checker> checkers() {
    return Checker.all();
  }

  /** What a process writes next, on the version that its machine shows. */
  default Written write(
      ServiceInstance instance, ReplicaMachine machine, long clockNanos, Randomness random) {
    throw new IllegalStateException("processes do not write by themselves here");
  }

  /** Whether the write with this tag took effect. */
  default boolean tookEffect(ServiceInstance instance, Version version, long tag) {
    return false;
  }

  /** The tags of the writes that took effect. */
  default Set<Long> tags(ServiceInstance instance, Version version) {
    return Collections.emptySortedSet();
  }

  /** By collection the tags of those writes whose values it has. */
  default Map<String, Set<Long>> values(ServiceInstance instance, Version version) {
    return Collections.emptySortedMap();
  }

  /** Whether all that counts has counted what took effect, and nothing else. */
  default boolean addsUp(ServiceInstance instance, Version version) {
    return true;
  }

  /** The same of what adds up however long replicas were parted: counters and merges. */
  default boolean countsAddUp(ServiceInstance instance, Version version) {
    return true;
  }

  /**
   * Whether it has counted nothing twice, however long replicas were away.
   *
   * @param alone the tags of writes that may have left what they counted and nothing else
   */
  default boolean countsAtMostOnce(ServiceInstance instance, Version version, Set<Long> alone) {
    return true;
  }

  /** The service as a replica runs it, with no memory of earlier instances. */
  ServiceInstance instance(long replica);

  /** An older release of it, which lacks some of what the newer one has. */
  ServiceInstance older(long replica);

  /** Whether the older release lacks the method. */
  default boolean isLackingInOlder(Call call) {
    return false;
  }

  /** The service as it should be. */
  ServiceInstance reference();

  /** What a client asks next. */
  Invocation next(Randomness random);

  /** An update that does not depend on the state, to see whether the service answers. */
  Invocation probe();

  /** What a version says of the update with this tag. */
  Mark mark(ServiceInstance instance, Version version, long tag);

  /** A number that stands for the order in which the collections of a version iterate. */
  long order(ServiceInstance instance, Version version);

  /** A read that looks for the update with this tag. */
  default Invocation look(long tag) {
    throw new IllegalStateException("nobody looks for updates here");
  }

  /** The tag of the latest update that a client asked for; 0 if there is none. */
  default long latestTag() {
    return 0;
  }

  /** Whether a {@link #look} saw the update. */
  default boolean saw(Bytes result) {
    return false;
  }

  /** Whether the effect of this update, once seen, is there whatever comes before it later. */
  default boolean isLasting(long tag) {
    return false;
  }

  /** Whether a read may ever give this; whether an execution of an update has. */
  boolean isPlausible(Call call, Answer answer);

  /** For people: {@code append(k3, 17)}. */
  String describe(Call call);
}
