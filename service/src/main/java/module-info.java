/** The annotations of services, and what a service is told. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // Those that execute are compiled later.
module dev.tempest.service {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.state;

  exports dev.tempest.service;
  exports dev.tempest.service.execution to
      dev.tempest.bench,
      dev.tempest.protocol,
      dev.tempest.runtime,
      dev.tempest.simulator;
}
