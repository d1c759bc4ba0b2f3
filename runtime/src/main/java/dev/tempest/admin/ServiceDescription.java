package dev.tempest.admin;

import dev.tempest.runtime.frontend.ToldStatus;
import dev.tempest.wire.Message;
import java.util.List;

/**
 * What a service offers.
 *
 * @param service its name
 * @param methods its methods; none if no server hosts it
 * @param hosted if no server hosts it, the names of the services that one of them does host
 */
public record ServiceDescription(
    String service, List<MethodDescription> methods, List<String> hosted) {
  /** Keeps its own copies. */
  public ServiceDescription {
    methods = List.copyOf(methods);
    hosted = List.copyOf(hosted);
  }

  static ServiceDescription of(Message.Description description) {
    return new ServiceDescription(
        ToldStatus.printable(description.service()),
        description.methods().stream().map(MethodDescription::of).toList(),
        description.hosted().stream().map(ToldStatus::printable).toList());
  }
}
