package dev.tempest.admin;

import dev.tempest.wire.Message;
import java.time.Instant;
import java.util.List;

/**
 * How a server is.
 *
 * @param server its address as {@code host:port}
 * @param started when its process started, by its own clock
 * @param services what it hosts
 */
public record ServerStatus(String server, Instant started, List<ServiceStatus> services) {
  /** Keeps its own copy. */
  public ServerStatus {
    services = List.copyOf(services);
  }

  static ServerStatus of(Message.Status status) {
    return new ServerStatus(
        status.name(),
        Instant.ofEpochMilli(status.startedMillis()),
        status.services().stream().map(ServiceStatus::of).toList());
  }
}
