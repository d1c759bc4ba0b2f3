package dev.tempest.admin;

import dev.tempest.FrontEndConfig;
import dev.tempest.Outcome;
import dev.tempest.UnableException;
import dev.tempest.UnknownOutcomeException;
import dev.tempest.runtime.frontend.AdminClient;
import dev.tempest.runtime.frontend.Client;
import dev.tempest.wire.Message;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks servers for their status, services and state, and calls services by description: for tools,
 * tests and dashboards.
 *
 * <p>Thread-safe.
 */
public final class Admin implements AutoCloseable {
  private final Client own;
  private final AdminClient client;

  private Admin(Client own) {
    this.own = own;
    this.client = own.admin();
  }

  /**
   * Opens a connection to the servers of a cluster; nothing is sent yet.
   *
   * @throws UncheckedIOException if no socket can be opened
   * @throws IllegalArgumentException if a server is not {@code host:port} of a known host
   */
  public static Admin connect(FrontEndConfig config) {
    return new Admin(Client.connect(config));
  }

  /**
   * The status of each node, by its address, in the order of the configuration. Nodes that do not
   * reply within a second, or within the deadline if that is shorter, are left out.
   */
  public Map<String, NodeStatus> status() {
    return report().nodes();
  }

  /** As {@link #status}, and who speaks only other versions of Tempest's protocol. */
  public StatusReport report() {
    return StatusReport.of(client.status());
  }

  /**
   * The methods of a service, from the first server that hosts it. If none does, the description
   * has no methods but lists what is hosted.
   *
   * @throws UnknownOutcomeException if no server replies within a second
   */
  public ServiceDescription describe(String service) {
    return ServiceDescription.of(client.describe(service));
  }

  /**
   * Calls a method that is known only by its description.
   *
   * @param arguments of the types that the description names
   * @throws IllegalArgumentException if they are of other types
   * @throws dev.tempest.values.UnsupportedTypeException if it names a class that is neither built
   *     in nor a container: none is loaded because a server names it
   */
  public Outcome<Object> call(
      String service, MethodDescription method, @Nullable Object... arguments) {
    Message.MethodDescription described = method.toWire();
    return client.call(service, described, arguments);
  }

  /**
   * The whole state of a service at one server, at one moment. The server keeps that moment for two
   * minutes.
   *
   * @param server one of the configuration's, as {@code host:port}
   * @throws IllegalArgumentException if it is not
   * @throws UnknownOutcomeException if it does not reply before the deadline
   * @throws UnableException if it has no state yet, or has ended the reading, because it took too
   *     long or too many read there at once
   */
  public ServiceState state(String service, String server) {
    return new ServiceState(client.state(service, server));
  }

  @Override
  public void close() {
    own.close();
  }
}
