/** A whole cluster in one thread, from one seed. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // Those that simulate are compiled later.
module dev.tempest.simulator {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.protocol;

  exports dev.tempest.simulator to
      dev.tempest.bench,
      dev.tempest.cli;

  opens dev.tempest.simulator to
      dev.tempest.service,
      dev.tempest.values;
}
