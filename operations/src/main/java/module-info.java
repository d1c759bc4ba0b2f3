/** What operators see of a node: metrics by Micrometer, health, a dashboard. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // Micrometer has no descriptors.
module dev.tempest.operations {
  requires static transitive org.jspecify;
  requires static transitive org.apache.tomcat.embed.core; // For the servlet API in it.
  requires transitive dev.tempest.runtime;
  requires transitive micrometer.core;
  requires java.management;
  requires micrometer.registry.prometheus;

  exports dev.tempest.operations;
}
