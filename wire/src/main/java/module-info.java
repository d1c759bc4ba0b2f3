/** The one wire: messages and frames, their layout in bytes. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // Those that speak it are compiled later.
module dev.tempest.wire {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.values;

  exports dev.tempest.wire to
      dev.tempest.bench,
      dev.tempest.protocol,
      dev.tempest.runtime,
      dev.tempest.simulator;

  opens dev.tempest.wire to
      dev.tempest.values; // A view is a value of the view service.
}
