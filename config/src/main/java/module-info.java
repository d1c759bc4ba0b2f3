/** What a node is told: configurations, the strict reading of tempest.yaml and the environment. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // Those that say where a value came from are compiled later.
module dev.tempest.config {
  requires static transitive org.jspecify;
  requires org.snakeyaml.engine;

  exports dev.tempest.config;
  exports dev.tempest.config.file to
      dev.tempest.cli,
      dev.tempest.runtime,
      dev.tempest.spring;
}
