package dev.tempest.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two kinds of messages.
 *
 * @param wide of clients to replicas
 * @param local between replicas
 * @param millis what takes longer is not looked at
 */
record Network(String name, Latency wide, Latency local, double millis) {
  private static final Latency LOCAL = new Latency.Pareto(2, 3);
  private static final double WIDE_LEAST_MILLIS = 100;
  private static final double WIDE_MILLIS = 2_000;
  private static final double LOCAL_MILLIS = 60;

  /** Those of Zhang's thesis. */
  static final List<Network> PUBLISHED =
      List.of(far(1.2), far(1.8), new Network("one network", LOCAL, LOCAL, LOCAL_MILLIS));

  private static Network far(double shape) {
    Latency wide = new Latency.Pareto(shape, WIDE_LEAST_MILLIS);
    return new Network("a_w=" + shape, wide, LOCAL, WIDE_MILLIS);
  }

  /** One whose messages were measured; what was not is as in the first published one. */
  static Network measured(@Nullable Path wide, @Nullable Path local) throws IOException {
    Latency ofClients = wide == null ? PUBLISHED.getFirst().wide : Latency.Measured.read(wide);
    Latency between = local == null ? LOCAL : Latency.Measured.read(local);
    double usual = ofClients.quantile(0.9) + between.quantile(0.9);
    return new Network("measured", ofClients, between, 4 * usual);
  }

  /** All that are looked at. */
  static List<Network> all(@Nullable Path wide, @Nullable Path local) throws IOException {
    return wide == null && local == null
        ? PUBLISHED
        : Stream.concat(PUBLISHED.stream(), Stream.of(measured(wide, local))).toList();
  }

  /** How likely a replica hears one client before another one that sends so much later. */
  double first(double delayMillis) {
    int parts = 20_000;
    double first = 0;
    for (int i = 0; i < parts; i++) {
      first += wide.within(wide.quantile((i + 0.5) / parts) + delayMillis) / parts;
    }
    return first;
  }
}
