/** Protocols as machines without I/O. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // Those that run the machines are compiled later.
module dev.tempest.protocol {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.service;
  requires transitive dev.tempest.wire;

  exports dev.tempest.protocol to
      dev.tempest.bench,
      dev.tempest.runtime,
      dev.tempest.simulator;
  exports dev.tempest.protocol.order to
      dev.tempest.bench,
      dev.tempest.runtime,
      dev.tempest.service, // Which calls the view service.
      dev.tempest.simulator;
  exports dev.tempest.protocol.order.log to
      dev.tempest.simulator;
  exports dev.tempest.protocol.order.time to
      dev.tempest.bench,
      dev.tempest.simulator;
  exports dev.tempest.protocol.checkpoint to
      dev.tempest.runtime,
      dev.tempest.simulator;
  exports dev.tempest.protocol.frontend to
      dev.tempest.bench,
      dev.tempest.runtime,
      dev.tempest.simulator;
  exports dev.tempest.protocol.membership to
      dev.tempest.bench,
      dev.tempest.runtime,
      dev.tempest.simulator;
}
