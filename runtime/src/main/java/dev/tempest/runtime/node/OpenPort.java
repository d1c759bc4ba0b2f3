package dev.tempest.runtime.node;

import dev.tempest.config.NodeConfig;
import dev.tempest.protocol.NameHash;
import dev.tempest.runtime.transport.Endpoint;
import dev.tempest.runtime.transport.EndpointConfig;
import dev.tempest.runtime.transport.LossOnPurpose;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint of a node, at the first of its places whose port is free.
 *
 * @param place where it is
 */
record OpenPort(OwnPlace place, Endpoint endpoint) {
  /**
   * Opens it.
   *
   * @param id of the node
   * @throws UncheckedIOException if no port can be bound, saying why
   */
  static OpenPort open(NodeConfig config, long id) {
    List<OwnPlace> places = OwnPlace.of(config);
    long cluster = NameHash.of(config.cluster());
    @Nullable UncheckedIOException refused = null;
    for (OwnPlace place : places) {
      try {
        EndpointConfig endpoint =
            new EndpointConfig(
                place.bind(),
                place.port(),
                cluster,
                id,
                LossOnPurpose.percent(),
                id,
                config::isAllowed,
                true);
        return new OpenPort(place, Endpoint.open(endpoint));
      } catch (UncheckedIOException taken) {
        refused = taken;
      }
    }
    if (refused != null && places.size() == 1) {
      throw refused;
    }
    String tried =
        config.members().isEmpty()
            ? config.listen().ports().toString()
            : places.stream()
                .map(place -> Integer.toString(place.port()))
                .collect(Collectors.joining(", "));
    throw new UncheckedIOException(
        "cannot listen on any of the ports "
            + tried
            + ": "
            + (refused == null ? "" : refused.getMessage()),
        refused == null ? new IOException("no port") : refused.getCause());
  }
}
