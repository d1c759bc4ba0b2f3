/** What a service sees of its state: collections, counters, single values, and the action. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // Those that execute are compiled later.
module dev.tempest.state {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.values;

  exports dev.tempest.state;
  exports dev.tempest.state.versioned to
      dev.tempest.protocol,
      dev.tempest.runtime,
      dev.tempest.service,
      dev.tempest.simulator;
}
