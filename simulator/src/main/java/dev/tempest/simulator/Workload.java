package dev.tempest.simulator;

import dev.tempest.service.ServiceInstance;
import dev.tempest.state.Version;
import dev.tempest.values.Bytes;
import dev.tempest.wire.Call;

/** The service of a world, and what its clients ask of it. */
interface Workload {
  /**
   * What the state says of one update.
   *
   * @param executions how many times it took effect
   * @param position how many updates had taken effect by then, itself included; 0 if it did not
   */
  record Mark(long executions, long position) {}

  /** The service as a replica runs it, with no memory of earlier instances. */
  ServiceInstance instance(long replica);

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

  /** Whether a read may ever give this. */
  boolean isPlausible(Call read, Bytes result);

  /** For people: {@code append(k3, 17)}. */
  String describe(Call call);
}
