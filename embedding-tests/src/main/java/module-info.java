/** An application that embeds Tempest, as a user would write its descriptor. */
@org.jspecify.annotations.NullMarked
module dev.tempest.embedding {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.runtime;

  exports dev.tempest.embedding;

  opens dev.tempest.embedding to
      dev.tempest.values;
}
