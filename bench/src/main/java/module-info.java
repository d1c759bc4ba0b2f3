/** Benchmarks: floors, ratios, pictures. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("requires-automatic") // XChart and HdrHistogram have no module descriptors.
module dev.tempest.bench {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.server;
  requires transitive dev.tempest.examples;
  requires java.desktop;
  requires HdrHistogram;
  requires xchart;

  exports dev.tempest.bench;
}
