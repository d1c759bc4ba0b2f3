/** A server process: configuration, hosting, joining. */
@org.jspecify.annotations.NullMarked
module dev.tempest.server {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.runtime;
  requires transitive dev.tempest.config;
  requires org.objectweb.asm;
  requires org.objectweb.asm.tree;

  exports dev.tempest.server;
}
