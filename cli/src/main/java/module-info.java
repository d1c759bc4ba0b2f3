/** The command line: demo, server, call, status, simulate, explain, config. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("requires-automatic") // HdrHistogram has no module descriptor.
module dev.tempest.cli {
  requires static transitive org.jspecify;
  requires dev.tempest.config;
  requires dev.tempest.examples;
  requires dev.tempest.server;
  requires dev.tempest.simulator;
  requires HdrHistogram;
  requires transitive info.picocli;

  exports dev.tempest.cli;

  opens dev.tempest.cli to
      info.picocli;

  uses dev.tempest.cli.ExtraCommand;
}
