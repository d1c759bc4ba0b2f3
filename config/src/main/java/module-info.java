/** What a node is told: records, the strict reading of tempest.yaml and the environment. */
@org.jspecify.annotations.NullMarked
module dev.tempest.config {
  requires static transitive org.jspecify;
  requires org.snakeyaml.engine;

  exports dev.tempest.config;
}
