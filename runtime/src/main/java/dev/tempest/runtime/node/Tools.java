package dev.tempest.runtime.node;

import dev.tempest.service.ServiceInterface;
import dev.tempest.wire.Message.DescribeRequest;
import dev.tempest.wire.Message.Description;
import dev.tempest.wire.Message.MethodDescription;
import dev.tempest.wire.Message.Status;
import dev.tempest.wire.Message.StatusRequest;
import dev.tempest.wire.Message.ToolMessage;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a process tells tools of itself. Owned by the event loop. */
final class Tools {
  private final long self;
  private final String name;
  private final long startedMillis;

  Tools(long self, String name, long startedMillis) {
    this.self = self;
    this.name = name;
    this.startedMillis = startedMillis;
  }

  /** The answer; null if that is no question. */
  @Nullable ToolMessage answer(ToolMessage question, Collection<Hosted> replicas) {
    return switch (question) {
      case StatusRequest(long token) -> status(token, replicas);
      case DescribeRequest(long token, String service) -> describe(token, service, replicas);
      case Status status -> null;
      case Description description -> null;
    };
  }

  Status status(long token, Collection<Hosted> replicas) {
    return new Status(
        token, self, name, startedMillis, replicas.stream().map(Hosted::status).toList());
  }

  private static Description describe(long token, String service, Collection<Hosted> replicas) {
    List<MethodDescription> methods =
        replicas.stream()
            .filter(replica -> replica.name().equals(service))
            .flatMap(replica -> methods(replica.description).stream())
            .toList();
    return new Description(
        token,
        service,
        methods,
        replicas.stream().filter(Hosted::isService).map(Hosted::name).sorted().toList());
  }

  private static List<MethodDescription> methods(ServiceInterface description) {
    return description.methods().stream()
        .map(method ->
            new MethodDescription(
                method.number(),
                method.name(),
                method.isUpdate(),
                method.parameterTypeNames(),
                method.resultTypeName()))
        .toList();
  }
}
