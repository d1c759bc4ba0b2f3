package dev.tempest.bench.tempest;

import dev.tempest.simulator.ServiceKind;
import dev.tempest.simulator.ServiceWorkload;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Services that take time on command lines and between parent and child. */
public final class TimedServices {
  private static final int PLAN_FIELDS = 8;

  private TimedServices() {}

  /**
   * A run of a client process.
   *
   * @param warmUpMillis before requests count
   * @param measuredMillis while requests count that are sent
   */
  public record Plan(ServiceWorkload workload, int warmUpMillis, int measuredMillis, long seed) {
    /** As one line of text. */
    public String toLine() {
      return "%s %d %d %d %d %d %d %d"
          .formatted(
              names(workload.services()),
              workload.perRequest(),
              workload.clients(),
              workload.everyMillis(),
              workload.asking().replicas(),
              warmUpMillis,
              measuredMillis,
              seed);
    }

    /** The plan of a line made by {@link #toLine}. */
    public static Plan parse(String line) {
      String[] fields = line.split(" ", -1);
      if (fields.length != PLAN_FIELDS) {
        throw new IllegalArgumentException("not a plan: " + line);
      }
      ServiceWorkload workload =
          new ServiceWorkload(
              kinds(fields[0]),
              Integer.parseInt(fields[1]),
              Integer.parseInt(fields[2]),
              Integer.parseInt(fields[3]),
              new ServiceWorkload.Asking(Integer.parseInt(fields[4])));
      return new Plan(
          workload,
          Integer.parseInt(fields[5]),
          Integer.parseInt(fields[6]),
          Long.parseLong(fields[7]));
    }
  }

  /** Kinds with commas between. */
  public static String names(List<ServiceKind> kinds) {
    return kinds.stream().map(ServiceKind::name).collect(Collectors.joining(","));
  }

  static List<ServiceKind> kinds(String names) {
    return Stream.of(names.split(",", -1)).map(ServiceKind::valueOf).toList();
  }

  /**
   * The name of a service on a server that hosts one of each kind, in their order.
   *
   * @param service its index
   */
  static String name(int service) {
    return "service-" + service;
  }
}
