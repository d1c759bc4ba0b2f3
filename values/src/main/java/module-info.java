/** Formats of your own for values, and what is refused as a value. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // Those that write and read values are compiled later.
module dev.tempest.values {
  requires static transitive org.jspecify;

  exports dev.tempest.values;
  exports dev.tempest.values.encoding to
      dev.tempest.bench,
      dev.tempest.cbor,
      dev.tempest.protocol,
      dev.tempest.runtime,
      dev.tempest.service,
      dev.tempest.simulator,
      dev.tempest.state,
      dev.tempest.wire;

  uses dev.tempest.values.ValueFormat;
}
