/** A whole cluster in one thread, from one seed. */
@org.jspecify.annotations.NullMarked
module dev.tempest.simulator {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.protocol;

  exports dev.tempest.simulator;

  opens dev.tempest.simulator to
      dev.tempest.service;
}
