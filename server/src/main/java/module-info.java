/** A server process: configuration, hosting, joining. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // Those that start servers are compiled later.
module dev.tempest.server {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.runtime;
  requires transitive dev.tempest.config;
  requires dev.tempest.protocol;
  requires org.objectweb.asm;
  requires org.objectweb.asm.tree;

  exports dev.tempest.server to
      dev.tempest.bench,
      dev.tempest.cli;
}
