package dev.tempest.runtime.node;

import dev.tempest.runtime.LogLimit;
import dev.tempest.runtime.LogLines;
import dev.tempest.service.execution.ServiceInterface;
import dev.tempest.wire.Message;
import java.lang.System.Logger.Level;
import java.util.stream.Collectors;

/**
 * Whether a replica is too old for what the others do, and what its code lacks.
 *
 * <p>Owned by the event loop.
 */
final class Suspension {
  private static final System.Logger LOGGER = LogLines.logger(Suspension.class);
  private static final int METHOD_CHARS_MAX = 64;

  private final String service;
  private final ServiceInterface description;
  private final LogLimit complaints = new LogLimit();
  private boolean isOn;
  private boolean asksForMethods;

  /** Of a replica that executes. */
  Suspension(String service, ServiceInterface description) {
    this.service = service;
    this.description = description;
  }

  boolean isOn() {
    return isOn;
  }

  /**
   * It is too old.
   *
   * @return what to ask the others: the names of its methods do not travel with requests
   */
  Message begin(String why, long nowNanos) {
    isOn = true;
    if (complaints.admits(nowNanos)) {
      asksForMethods = true;
      LOGGER.log(
          Level.WARNING,
          "This server is too old for service {0}. Its replica is suspended: it keeps what others"
              + " have executed, and answers no requests until it can take their state. Upgrade"
              + " this server. "
              + LogLimit.OTHERS
              + ". What it cannot execute: {1}",
          service,
          why);
    }
    return new Message.DescribeRequest(nowNanos, service);
  }

  /** Another process says what its replica can be asked. */
  void described(Message.Description theirs) {
    String lacking =
        theirs.methods().stream()
            .filter(each -> description.method(each.number()) == null && isWord(each.name()))
            .map(Message.MethodDescription::name)
            .distinct()
            .collect(Collectors.joining(", "));
    if (asksForMethods && theirs.service().equals(service) && !lacking.isEmpty()) {
      asksForMethods = false;
      LOGGER.log(
          Level.WARNING,
          "This server is too old for service {0}: it has no method {1}",
          service,
          lacking);
    }
  }

  /** It comes into logs. */
  private static boolean isWord(String name) {
    return name.length() <= METHOD_CHARS_MAX
        && name.chars().allMatch(Character::isJavaIdentifierPart);
  }

  /** It has the state of a replica with newer code. */
  void end() {
    if (isOn) {
      LOGGER.log(
          Level.INFO,
          "The replica of {0} executes again: it has taken a state of the others that contains what"
              + " it could not execute",
          service);
    }
    isOn = false;
  }
}
