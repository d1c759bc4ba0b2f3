/** Sessions that all processes share, for any container of Jakarta servlets. */
@org.jspecify.annotations.NullMarked
module dev.tempest.sessions.servlet {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.sessions;
  requires transitive jakarta.servlet;

  exports dev.tempest.sessions.servlet;
}
