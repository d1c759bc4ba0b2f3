/** A node, its collections, services and sessions in an application of Spring Boot. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Spring's are such.
module dev.tempest.spring {
  requires static transitive org.jspecify;
  requires dev.tempest.config;
  requires static com.fasterxml.jackson.annotation; // In what health is made of.
  requires static dev.tempest.jcache;
  requires static dev.tempest.operations;
  requires static dev.tempest.sessions.spring;
  requires static micrometer.core;
  requires static org.junit.jupiter.api; // This and other modules of tests only in tests.
  requires static spring.boot.cache;
  requires static spring.boot.health;
  requires static spring.boot.servlet;
  requires static spring.boot.session;
  requires static spring.boot.test;
  requires static spring.boot.test.autoconfigure;
  requires static spring.context.support;
  requires static spring.session.core;
  requires static spring.test;
  requires spring.beans;
  requires spring.boot;
  requires spring.boot.autoconfigure;
  requires spring.context;
  requires spring.core;
  requires transitive dev.tempest.runtime;

  exports dev.tempest.spring;
  exports dev.tempest.spring.test;

  opens dev.tempest.spring.autoconfigure to
      spring.beans,
      spring.context,
      spring.core;
  opens dev.tempest.spring.test to
      spring.beans,
      spring.boot.test,
      spring.core,
      spring.test;
}
