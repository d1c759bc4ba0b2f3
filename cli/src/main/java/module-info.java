/** The command line: demo, server, call, status, simulate, bench, explain, config, test. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("requires-automatic") // HdrHistogram has no module descriptor.
module dev.tempest.cli {
  requires static transitive org.jspecify;
  requires dev.tempest.bench;
  requires dev.tempest.config;
  requires dev.tempest.examples;
  requires dev.tempest.server;
  requires dev.tempest.simulator;
  requires HdrHistogram;
  requires info.picocli;

  opens dev.tempest.cli to
      info.picocli;
}
