/** Example services and their real input. */
@org.jspecify.annotations.NullMarked
module dev.tempest.examples {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.runtime;

  exports dev.tempest.examples.cart;
  exports dev.tempest.examples.petstore;

  opens dev.tempest.examples.cart to
      dev.tempest.values;
  opens dev.tempest.examples.petstore to
      dev.tempest.values;
}
