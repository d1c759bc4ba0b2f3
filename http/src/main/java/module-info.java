/** Services over HTTP, as JSON, described by OpenAPI: a servlet, and an embedded Tomcat for it. */
@org.jspecify.annotations.NullMarked
module dev.tempest.http {
  requires static transitive org.jspecify;
  requires transitive dev.tempest.runtime;
  requires transitive org.apache.tomcat.embed.core;
  requires com.fasterxml.jackson.annotation;
  requires tools.jackson.databind;

  exports dev.tempest.http;

  // Its records are stored in collections.
  opens dev.tempest.http to
      dev.tempest.values;
}
