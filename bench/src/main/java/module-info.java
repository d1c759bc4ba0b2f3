/** Benchmarks: floors, ratios, pictures. */
@org.jspecify.annotations.NullMarked
module dev.tempest.bench {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.server;
  requires transitive dev.tempest.examples;
}
