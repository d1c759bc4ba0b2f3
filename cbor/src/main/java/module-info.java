/**
 * Classes that are neither built in nor records, as CBOR by Jackson. Whoever has this module has
 * it; there is nothing to call. A module whose classes it is to write has to open their packages to
 * {@code tools.jackson.databind}.
 */
@org.jspecify.annotations.NullMarked
module dev.tempest.cbor {
  requires static org.jspecify;
  requires com.fasterxml.jackson.annotation;
  requires dev.tempest.values;
  requires tools.jackson.core;
  requires tools.jackson.databind;
  requires tools.jackson.dataformat.cbor;

  provides dev.tempest.values.ValueFormat with
      dev.tempest.cbor.CborFormat;
}
