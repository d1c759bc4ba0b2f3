/**
 * Nodes and front-ends that users hold in their hands; below them event loop, datagrams, streams.
 */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // Whoever knows the server's parts is compiled later.
module dev.tempest.runtime {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.config;
  requires transitive dev.tempest.service;
  requires dev.tempest.protocol;

  exports dev.tempest;
  exports dev.tempest.admin;
  exports dev.tempest.runtime to
      dev.tempest.bench,
      dev.tempest.cli,
      dev.tempest.embedding,
      dev.tempest.examples,
      dev.tempest.server;
}
