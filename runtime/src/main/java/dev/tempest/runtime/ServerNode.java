package dev.tempest.runtime;

import dev.tempest.service.ServiceInstance;
import dev.tempest.wire.Message.Status;
import java.time.Duration;
import java.util.Map;

/**
 * A server: one event loop that owns a replica of each of its services.
 *
 * <p>Thread-safe.
 */
public final class ServerNode implements AutoCloseable {
  private ServerNode() {}

  /**
   * Binds, joins the multicast groups and starts the loop. The replicas then take the state from
   * others by themselves; {@link #awaitActive} waits for that.
   *
   * @param services by name; from now on only the loop calls them
   * @throws java.io.UncheckedIOException if the port is taken or the address is not one of this
   *     machine, saying which and what to do
   */
  public static ServerNode start(ServerConfig config, Map<String, ServiceInstance> services) {
    throw new UnsupportedOperationException("in work");
  }

  /** Waits until all services have state and serve; false if they do not within {@code timeout}. */
  public boolean awaitActive(Duration timeout) throws InterruptedException {
    throw new UnsupportedOperationException("in work");
  }

  /** How the server and its services are. */
  public Status status() {
    throw new UnsupportedOperationException("in work");
  }

  /** Waits until the server is closed. */
  public void awaitClosed() throws InterruptedException {
    throw new UnsupportedOperationException("in work");
  }

  /** Stops the loop and closes the sockets; what was under way is dropped. */
  @Override
  public void close() {
    throw new UnsupportedOperationException("in work");
  }
}
