/** Sessions of web applications that all their processes share. */
@org.jspecify.annotations.NullMarked
module dev.tempest.sessions {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.runtime;

  exports dev.tempest.sessions;

  opens dev.tempest.sessions to
      dev.tempest.values;
}
