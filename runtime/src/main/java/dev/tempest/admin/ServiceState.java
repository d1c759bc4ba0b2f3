package dev.tempest.admin;

import dev.tempest.protocol.order.Orders;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.values.encoding.MalformedException;
import dev.tempest.wire.Message.Snapshot;
import java.util.Map;

/**
 * The whole state of a service at one server at one moment.
 *
 * <p>Immutable.
 */
public final class ServiceState {
  private final Snapshot snapshot;

  ServiceState(Snapshot snapshot) {
    this.snapshot = snapshot;
  }

  /** How many updates in it have their final place in the order. */
  public long settled() {
    return snapshot.settled().count();
  }

  /** How many updates in it may still change their place in the order. */
  public int unsettled() {
    return snapshot.unsettled().size();
  }

  /** Whether both servers have settled the same updates, to the very same contents. */
  public boolean hasSettledAs(ServiceState other) {
    return snapshot.settled().equals(other.snapshot.settled())
        && snapshot.version().equals(other.snapshot.version());
  }

  /**
   * The collections by name, with settled and unsettled updates, each read-only.
   *
   * @param implementation the class of the service, the same as at the server
   * @throws IllegalArgumentException if it is not a service, or cannot read what this one has
   *     settled
   */
  public Map<String, Object> contents(Class<?> implementation) {
    ServiceInstance service = ServiceInstance.of(implementation);
    try {
      return service.contents(Orders.version(service, snapshot));
    } catch (MalformedException other) {
      throw new IllegalArgumentException(
          implementation.getName() + " cannot read what this service has settled", other);
    }
  }
}
