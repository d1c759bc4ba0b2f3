/** Sessions of Spring Session that all processes of an application share. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Spring's are such.
module dev.tempest.sessions.spring {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.sessions.servlet;
  requires transitive spring.context;
  requires transitive spring.session.core;

  exports dev.tempest.sessions.spring;
}
