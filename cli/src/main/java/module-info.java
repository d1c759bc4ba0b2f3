/** The command line: demo, server, call, status, simulate, explain, config. */
@org.jspecify.annotations.NullMarked
// HdrHistogram has no module descriptor; bench is compiled later.
@SuppressWarnings({"requires-automatic", "module"})
module dev.tempest.cli {
  requires static transitive org.jspecify;
  requires dev.tempest.config;
  requires dev.tempest.examples;
  requires dev.tempest.http;
  requires dev.tempest.operations;
  requires dev.tempest.runtime;
  requires dev.tempest.simulator;
  requires HdrHistogram;
  requires java.compiler;
  requires transitive info.picocli;

  exports dev.tempest.cli to
      dev.tempest.bench;

  opens dev.tempest.cli to
      info.picocli;

  uses dev.tempest.cli.ExtraCommand;
}
