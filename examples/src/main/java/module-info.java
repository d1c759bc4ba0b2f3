/** Example services and their real input. */
@org.jspecify.annotations.NullMarked
module dev.tempest.examples {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.service;

  exports dev.tempest.examples.cart;
}
