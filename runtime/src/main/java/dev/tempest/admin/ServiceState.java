package dev.tempest.admin;

import dev.tempest.runtime.frontend.AdminClient;
import dev.tempest.service.execution.ServiceInstance;
import dev.tempest.state.versioned.Assembly;
import dev.tempest.values.encoding.Bytes;
import dev.tempest.values.encoding.MalformedException;
import java.util.Map;

/**
 * The whole state of a service at one server at one moment.
 *
 * <p>Immutable.
 */
public final class ServiceState {
  private final AdminClient.Read read;

  ServiceState(AdminClient.Read read) {
    this.read = read;
  }

  /** How many updates in it have their final place in the order. */
  public long settled() {
    return read.executed() - read.unsettled();
  }

  /** How many updates in it may still change their place in the order. */
  public long unsettled() {
    return read.unsettled();
  }

  /** Whether both servers have the very same contents. */
  public boolean isSameAs(ServiceState other) {
    return read.pieces().equals(other.read.pieces());
  }

  /**
   * The collections by name, each read-only.
   *
   * @param implementation the class of the service, the same as at the server
   * @throws IllegalArgumentException if it is not a service, or cannot read this state
   */
  public Map<String, Object> contents(Class<?> implementation) {
    ServiceInstance service = ServiceInstance.of(implementation);
    Assembly assembly = service.assembly(service.emptyVersion(), 1);
    try {
      for (Bytes piece : read.pieces()) {
        assembly.take(piece);
      }
    } catch (MalformedException other) {
      throw new IllegalArgumentException(
          implementation.getName() + " cannot read the state of this service", other);
    }
    return service.contents(assembly.version());
  }
}
