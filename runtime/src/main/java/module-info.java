/**
 * Nodes and front-ends that users hold in their hands; below them event loop, datagrams, streams.
 */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // Whoever knows its parts is compiled later.
module dev.tempest.runtime {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.config;
  requires transitive dev.tempest.service;
  requires dev.tempest.protocol;
  requires java.management;
  requires static jdk.jfr; // Without it nothing is recorded.
  requires org.objectweb.asm;
  requires org.objectweb.asm.tree;

  exports dev.tempest;
  exports dev.tempest.admin;
  exports dev.tempest.runtime to
      dev.tempest.bench,
      dev.tempest.cli,
      dev.tempest.examples,
      dev.tempest.http,
      dev.tempest.jcache,
      dev.tempest.operations,
      dev.tempest.spring;
  exports dev.tempest.runtime.node to
      dev.tempest.bench,
      dev.tempest.cli;
  exports dev.tempest.runtime.service to
      dev.tempest.bench,
      dev.tempest.cli;
  exports dev.tempest.runtime.transport to
      dev.tempest.bench;
}
