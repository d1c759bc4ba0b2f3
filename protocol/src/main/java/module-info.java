/** Protocols as machines without I/O. */
@org.jspecify.annotations.NullMarked
module dev.tempest.protocol {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.service;
  requires transitive dev.tempest.wire;

  exports dev.tempest.protocol;
  exports dev.tempest.protocol.order;
  exports dev.tempest.protocol.order.time;
  exports dev.tempest.protocol.frontend;
  exports dev.tempest.protocol.membership;
}
