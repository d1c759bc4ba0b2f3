/** Event loop, datagrams, streams, and the front-end users hold in their hands. */
@org.jspecify.annotations.NullMarked
module dev.tempest.runtime {
  requires static org.jspecify;
  requires transitive dev.tempest.config;
  requires transitive dev.tempest.protocol;

  exports dev.tempest;
  exports dev.tempest.runtime;
}
