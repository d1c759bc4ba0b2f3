/** State as a value: persistent collections, versions, actions and changes. */
@org.jspecify.annotations.NullMarked
module dev.tempest.state {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.values;

  exports dev.tempest.state;
}
