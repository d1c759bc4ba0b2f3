/** The one wire: messages and frames, their layout in bytes. */
@org.jspecify.annotations.NullMarked
module dev.tempest.wire {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.values;

  exports dev.tempest.wire;
}
