package dev.tempest.admin;

import dev.tempest.runtime.frontend.ToldStatus;
import dev.tempest.wire.Message;
import java.util.List;

/**
 * One method of a service.
 *
 * @param number its number among the methods of the service
 * @param name its name in Java
 * @param update whether it is an update; else a read
 * @param parameters the declared types, as {@link Class#getName} has them
 * @param result the declared return type, likewise
 */
public record MethodDescription(
    int number, String name, boolean update, List<String> parameters, String result) {
  /** Keeps its own copy. */
  public MethodDescription {
    parameters = List.copyOf(parameters);
  }

  static MethodDescription of(Message.MethodDescription method) {
    return new MethodDescription(
        method.number(),
        ToldStatus.printable(method.name()),
        method.update(),
        method.parameters().stream().map(ToldStatus::printable).toList(),
        ToldStatus.printable(method.result()));
  }

  Message.MethodDescription toWire() {
    return new Message.MethodDescription(number, name, update, parameters, result);
  }
}
