/** The command line: demo, server, call, status, simulate, bench, test. */
@org.jspecify.annotations.NullMarked
module dev.tempest.cli {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.bench;
  requires transitive dev.tempest.simulator;
}
