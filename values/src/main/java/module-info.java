/**
 * Values by value: how one declared type is written, read, copied and hashed, the same in every
 * JVM.
 */
@org.jspecify.annotations.NullMarked
module dev.tempest.values {
  requires static transitive org.jspecify;

  exports dev.tempest.values;

  uses dev.tempest.values.ValueFormat;
}
