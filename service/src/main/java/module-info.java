/** Plain annotated classes made executable over versions of their state. */
@org.jspecify.annotations.NullMarked
module dev.tempest.service {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.state;

  exports dev.tempest.service;
}
